import Synchronization
import TenurePostgres

/// Runs the interleavings of many pairs on several databases at once.
struct Sweep: Sendable {
    let firsts: [Operation]
    let seconds: [Operation]
    var stopsAtFailure = false
    var portion = Portion.whole
    /// Those whose pairs are run besides, as what they reach has changed.
    var changed: Set<String> = []
    let matrix = Matrix()

    /// Each bench takes the next operation and runs it against all others at all its points. One
    /// that has grown old is replaced.
    func run(on benches: [Bench]) async throws {
        let others = try await footprints(of: seconds, benches)
        let turns = Turns(count: firsts.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for bench in benches {
                group.addTask {
                    var newer: Bench?
                    defer { newer?.close() }
                    while let turn = turns.next() {
                        if !(newer ?? bench).isFresh {
                            newer?.close()
                            newer = try await Bench.open()
                        }
                        try await sweep(firsts[turn], others, newer ?? bench)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func footprints(
        of operations: [Operation], _ benches: [Bench]
    ) async throws -> [Footprint] {
        try await withThrowingTaskGroup(of: [Footprint].self) { group in
            for (number, bench) in benches.enumerated() {
                let share = stride(from: number, to: operations.count, by: benches.count)
                    .map { operations[$0] }
                group.addTask {
                    var found: [Footprint] = []
                    for operation in share {
                        found.append(try await bench.footprint(of: operation))
                    }
                    return found
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func sweep(_ first: Operation, _ others: [Footprint], _ bench: Bench) async throws {
        let own = try await bench.footprint(of: first)
        var missing: Set<String> = []
        var runs = 0
        for (number, other) in others.enumerated() {
            // Where A does not stop with one B it does not with another, as B has not begun: unless
            // the world was prepared for that B.
            let all = changed.contains(first.name) || changed.contains(other.operation.name)
            for (place, point) in own.points(against: other).enumerated()
            where (all || portion.contains(number + place)) && !missing.contains("\(point)") {
                if stopsAtFailure && !matrix.failures.isEmpty { return }
                let interleaving = Interleaving(
                    first: first, second: other.operation, point: point,
                    sharesRows: own.sharesRows(with: other))
                guard let outcome = try await bench.run(interleaving) else {
                    if other.operation.prepare == nil { missing.insert("\(point)") }
                    continue
                }
                matrix.add(interleaving, outcome)
                runs += 1
                if runs % 16 == 0 { try await bench.vacuum() }
            }
        }
        matrix.close(first)
    }
}

/// Gives each number to one taker.
final class Turns: Sendable {
    private let count: Int
    private let taken = Atomic(0)

    init(count: Int) { self.count = count }

    func next() -> Int? {
        let turn = taken.add(1, ordering: .relaxed).oldValue
        return turn < count ? turn : nil
    }
}
