import Synchronization
import TenurePostgres

/// Runs many interleavings on several databases at once.
struct Sweep: Sendable {
    let operations: [Operation]
    /// The second of each pair; all of them when nil.
    var seconds: [Operation]?
    var stopsAtFailure = false
    let matrix = Matrix()

    /// Each bench takes the next operation and runs it against all others at all its points.
    func run(on benches: [Bench]) async throws {
        let turns = Turns(count: operations.count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for bench in benches {
                group.addTask {
                    while let turn = turns.next() { try await sweep(operations[turn], bench) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func sweep(_ first: Operation, _ bench: Bench) async throws {
        for point in try await bench.points(of: first) {
            for second in seconds ?? operations {
                if stopsAtFailure && !matrix.failures.isEmpty { return }
                let interleaving = Interleaving(first: first, second: second, point: point)
                // A that does not stop there with one B does not with another: it has not begun.
                guard let outcome = try await bench.run(interleaving) else { break }
                matrix.add(interleaving, outcome)
            }
        }
        try await bench.keeper.simple(
            "VACUUM tenure.job, tenure.subject, tenure.session, probe.log, tenure.lane, app.page, "
                + "tenure.job_history, tenure.queue, tenure.leader, tenure.schedule, app.effect")
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
