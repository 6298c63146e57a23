import TenureFoundation
import Testing

/// Each day a part of them, and all of those operations that have changed since they were met;
/// `bin/test interleavings` runs all, and writes down what they were then.
@Suite struct InterleavingTests {
    @Test func `Every pair of operations meets well at every lock point`() async throws {
        try await run(Sweep(firsts: Operation.all, seconds: Operation.all), "interleavings.txt")
    }

    /// The caller began before, and stands for both sides: the other one ends runs, enqueues,
    /// claims and sweeps while its snapshot grows old, or is in the middle of it when it begins.
    /// Most of it at REPEATABLE READ: SERIALIZABLE locks the same rows, and asks more of others
    /// that are SERIALIZABLE.
    @Test func `A caller that keeps its snapshot meets all others well`() async throws {
        let callers = Operation.callers(at: "REPEATABLE READ")
        let meanwhile = Operation.meanwhile
        try await run(Sweep(firsts: callers, seconds: meanwhile), "callers first.txt")
        try await run(Sweep(firsts: meanwhile, seconds: callers), "callers second.txt")
        let serial = Operation.callers(at: "SERIALIZABLE").filter(\.isUsers).prefix(6)
        try await run(Sweep(firsts: Array(serial), seconds: meanwhile), "serializable.txt")
    }

    /// `TENURE_OPERATIONS` says which operations are to be met by all others, as parts of their
    /// names between semicolons, and `TENURE_BESIDE` by which of these alone: for whoever works on
    /// them, and for the mutants. `TENURE_FROM` names the one that a run goes on with which was
    /// broken off there.
    private func run(_ sweep: Sweep, _ name: String) async throws {
        let environment = ProcessInfo.processInfo.environment
        if let from = environment["TENURE_FROM"] {
            let left = sweep.firsts.drop { $0.name != from }
            if left.isEmpty { return }
            return try await runAll(Sweep(firsts: Array(left), seconds: sweep.seconds), name)
        }
        guard let asked = environment["TENURE_OPERATIONS"] else {
            return try await runAll(sweep, name)
        }
        func chosen(_ operations: [Operation], _ asked: String?) -> [Operation] {
            guard let parts = asked?.split(separator: ";") else { return operations }
            return operations.filter { operation in parts.contains { operation.name.contains($0) } }
        }
        let beside = environment["TENURE_BESIDE"]
        try await runAll(
            Sweep(firsts: chosen(sweep.firsts, asked), seconds: chosen(sweep.seconds, beside)),
            "first \(name)")
        try await runAll(
            Sweep(firsts: chosen(sweep.firsts, beside), seconds: chosen(sweep.seconds, asked)),
            "second \(name)")
    }

    private var isChosen: Bool {
        let environment = ProcessInfo.processInfo.environment
        return ["TENURE_OPERATIONS", "TENURE_FROM"].contains { environment[$0] != nil }
    }

    private func runAll(_ sweep: Sweep, _ name: String) async throws {
        let start = ContinuousClock.now
        var sweep = sweep
        sweep.portion = try Portion.asked()
        let met = sweep.firsts + sweep.seconds
        let marks = try Reach.here().marks(of: met)
        let known = try WholeRun.read()
        let changed = Set(marks.filter { known.marks[$0.key] != $0.value }.keys)
        if !sweep.portion.isAlone { sweep.changed = changed }
        try await withBenches(3) { [sweep] in try await sweep.run(on: $0) }
        let matrix = sweep.matrix
        let summary = """
            \(matrix.pairs) pairs, \(matrix.lockPoints) lock points, \
            \(matrix.total) interleavings (\(sweep.portion)), \(matrix.failures.count) failed, \
            \(sweep.changed.count) of \(marks.count) changed, \(ContinuousClock.now - start)
            """
        let table = matrix.table(sweep.firsts, sweep.seconds)
        print("\(table)\n\(summary)\n\(matrix.report())")
        if matrix.failures.isEmpty, !isChosen, sweep.portion.isForTheRecord {
            print(WholeRun(marks: marks).text)
        }
        Attachment.record("\(table)\n\(summary)", named: name)
        #expect(matrix.failures.count == 0, "see the traces")
    }
}

/// Opens benches, and closes them whatever happens.
func withBenches(_ count: Int, _ body: ([Bench]) async throws -> Void) async throws {
    var benches: [Bench] = []
    defer { for bench in benches { bench.close() } }
    for _ in 0..<count { benches.append(try await Bench.open()) }
    try await body(benches)
}
