import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import Testing

/// Does what its number says.
private struct Various: Job {
    static let kind: JobKind = "various"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 2, .milliseconds(1)))
    let number: Int
}

private struct OutOfOrder: Error {}

/// Fast jobs, claimed by the hundred: one row speaks for each claim, and nobody can tell by what
/// comes of it (docs/decisions/claim-rows.md).
@Suite(.timeLimit(.minutes(3))) struct FoldedRunTests {
    private static let jobs = 6000

    /// Of a hundred jobs seven end in ways of their own.
    private static func registry(_ runs: Counts, _ fixture: WorkerFixture) -> JobRegistry {
        var registry = JobRegistry()
        registry.handle(Various.self) { job, context in
            let run = runs.count(job.number)
            switch job.number % 100 {
            case 1: throw OutOfOrder()
            case 2 where run == 1: throw OutOfOrder()
            case 3 where run == 1: return .snooze(for: .milliseconds(5))
            case 4: return .discard(reason: "no use")
            case 5: return try await context.commit { _ in }
            case 6:
                _ = try await context.step("once") { job.number }
                return .completed
            case 7:
                _ = try await fixture.pool.query(
                    "SELECT tenure.cancel_job($1, 'me')",
                    [
                        context.jobID.uuid
                    ])
                return .completed
            default: return .completed
            }
        }
        return registry
    }

    @Test func `jobs of all ends, claimed by the hundred, end as they would one by one`()
        async throws
    {
        let fixture = try await WorkerFixture("folded")
        let runs = Counts()
        let registry = Self.registry(runs, fixture)
        try await fixture.client.enqueue(
            (0..<Self.jobs).map { try NewJob(Various(number: $0)) })
        let mostRows = Mutex<Int64>(0)
        try await fixture.withWorker(registry, slots: 8, lease: .seconds(30)) {
            while try await fixture.count("tenure.job") > 0 {
                let rows = try await fixture.count("tenure.claim_row")
                mostRows.withLock { $0 = max($0, rows) }
            }
        }
        #expect(mostRows.withLock { $0 } > 0, "no claim was folded: the test shows nothing")
        let ends = try await fixture.value(
            """
            SELECT string_agg(e.line, ', ' ORDER BY e.line) FROM (
                SELECT (h.payload ->> 'number')::int % 100 || ' ' || h.outcome || ' '
                       || h.attempt || ' ' || h.runs || ': ' || count(*) AS line
                FROM tenure.job_history h WHERE (h.payload ->> 'number')::int % 100 < 8
                GROUP BY (h.payload ->> 'number')::int % 100, h.outcome, h.attempt, h.runs) AS e
            """, as: String.self)
        #expect(
            ends == """
                0 completed 1 1: 60, 1 discarded 2 2: 60, 2 completed 2 2: 60, \
                3 completed 1 2: 60, 4 discarded 1 1: 60, 5 completed 1 1: 60, \
                6 completed 1 1: 60, 7 cancelled 0 1: 60
                """)
        #expect(try await fixture.count("tenure.job_history") == Int64(Self.jobs))
        #expect(runs.most == 2)
    }

    @Test func `a worker that stops gives back whom a claim row speaks for`() async throws {
        let fixture = try await WorkerFixture("folded, stopped")
        var registry = JobRegistry()
        let done = Counts()
        registry.handle(Various.self) { job, _ in
            _ = done.count(job.number)
            // The first are fast, so that many are claimed ahead of the rest.
            if job.number >= 3000 { try await Task.sleep(for: .seconds(60)) }
            return .completed
        }
        try await fixture.client.enqueue((0..<3000).map { try NewJob(Various(number: $0)) })
        try await fixture.client.enqueue((3000..<4000).map { try NewJob(Various(number: $0)) })
        try await fixture.withWorker(registry, slots: 4, lease: .seconds(30)) {
            while done.slow < 4 { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(try await fixture.count("tenure.run_seen") == 0)
        let left = try await fixture.count("tenure.job")
        #expect(left >= 1000)
        #expect(
            try await fixture.count("tenure.job WHERE state = 'available' AND attempt = 0")
                == left)
        #expect(try await fixture.count("tenure.job_history") == 4000 - left)
    }
}

/// How often each number was run.
private final class Counts: Sendable {
    private let runs = Mutex<[Int: Int]>([:])

    func count(_ number: Int) -> Int {
        runs.withLock {
            $0[number, default: 0] += 1
            return $0[number] ?? 0
        }
    }

    /// How many of those that take long have begun.
    var slow: Int { runs.withLock { $0.keys.count { $0 >= 3000 } } }

    var most: Int { runs.withLock { $0.values.max() ?? 0 } }
}
