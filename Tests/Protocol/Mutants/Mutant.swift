import TenurePostgres

/// A broken variant of the protocol, and the pairs that should find it out.
struct Mutant: Sendable {
    struct Change: Sendable {
        let function: String
        let old: String
        let new: String
    }

    let name: String
    let changes: [Change]
    let firsts: [Operation]
    let seconds: [Operation]
    /// Part of the failure that must be seen.
    let finding: String

    /// - Parameter pairs: the names of A and of B.
    init(
        _ name: String, _ changes: (String, String, String)..., meet first: String,
        _ second: String, finding: String
    ) {
        self.name = name
        self.changes = changes.map { Change(function: $0.0, old: $0.1, new: $0.2) }
        self.finding = finding
        firsts = Operation.everybody.filter { $0.name == first }
        seconds = Operation.everybody.filter { $0.name == second }
    }

    /// A client that does its steps in another order.
    init(_ name: String, _ first: Operation, meet second: String, finding: String) {
        self.name = name
        self.finding = finding
        changes = []
        firsts = [first]
        seconds = Operation.all.filter { $0.name == second }
    }
}

extension Bench {
    /// Runs a mutant's pairs until one fails, and puts the functions back.
    func run(_ mutant: Mutant) async throws -> Matrix {
        let sweep = Sweep(firsts: mutant.firsts, seconds: mutant.seconds, stopsAtFailure: true)
        var originals: [String] = []
        for function in Set(mutant.changes.map(\.function)) {
            originals.append(
                try await change(function) { text throws(NoSuchText) in
                    for change in mutant.changes where change.function == function {
                        try text.replace(change.old, with: change.new)
                    }
                })
        }
        try await sweep.run(on: [self])
        for original in originals { try await keeper.simple(original) }
        return sweep.matrix
    }
}
