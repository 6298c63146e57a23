import Tenure
import TenureWorker
import TestSupport
import Testing

struct Try: Job {
    static let kind: JobKind = "try"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 3, .milliseconds(50)), timeout: .milliseconds(300))
    let way: String
}

struct Broken: Error, CustomStringConvertible {
    var cause: (any Error)?
    var description: String { "broken" }
}

@Suite struct OutcomeTests {
    /// Runs one job of a way to its end and returns its row in history, as text.
    private func history(
        of way: String, _ handler: @escaping @Sendable (Int) async throws -> JobOutcome
    )
        async throws -> (outcome: String, attempt: Int32, runs: Int32, errors: Int64)
    {
        let fixture = try await WorkerFixture(way)
        var jobs = JobRegistry()
        jobs.handle(Try.self) { _, context in try await handler(context.runs) }
        return try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Try(way: way))
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
            return try await fixture.pool.query(
                """
                SELECT outcome::text, attempt, runs, (SELECT count(*) FROM tenure.attempt_error)
                FROM tenure.job_history
                """
            ) { row in (try row.decode(0), try row.decode(1), try row.decode(2), try row.decode(3))
            }[0]
        }
    }

    @Test func `a thrown error is retried until attempts are spent, with its errors`() async throws
    {
        let row = try await history(of: "fail") { _ in throw Broken() }
        #expect(row == ("discarded", 3, 3, 3))
    }

    @Test func `a snooze costs no attempt`() async throws {
        let row = try await history(of: "snooze") { runs in
            runs < 4 ? .snooze(for: .milliseconds(30)) : .completed
        }
        #expect(row == ("completed", 1, 4, 0))
    }

    @Test func `a discard is final and keeps its reason`() async throws {
        let row = try await history(of: "discard") { _ in .discard(reason: "no use") }
        #expect(row == ("discarded", 1, 1, 0))
    }

    @Test func `a timeout is a failure`() async throws {
        let row = try await history(of: "timeout") { runs in
            if runs == 1 { try await Task.sleep(for: .seconds(10)) }
            return .completed
        }
        #expect(row == ("completed", 2, 2, 1))
    }

    @Test func `a cancellation that nobody asked for is a failure`() async throws {
        let row = try await history(of: "unasked") { runs in
            if runs == 1 { throw Broken(cause: CancellationError()) }
            return .completed
        }
        #expect(row == ("completed", 2, 2, 1))
    }

    @Test func `a payload that does not decode is held, and released by a newer release`()
        async throws
    {
        let fixture = try await WorkerFixture("held")
        var jobs = JobRegistry()
        jobs.handle(Count.self) { _, _ in .completed }
        let broken = try NewJob(kind: Count.kind, payload: #"{"number": "seven"}"#)
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue([broken])
            try await fixture.eventually(
                "it is held",
                "SELECT count(*) = 1 FROM tenure.job WHERE state = 'held' AND attempt = 0")
        }
        #expect(
            try await fixture.value("SELECT hold_reason FROM tenure.job", as: String.self)
                .contains("does not decode"))
        try await fixture.pool.query(#"UPDATE tenure.job SET payload = '{"number": 7}'"#)
        let nextRelease: (inout WorkerConfiguration) -> Void = { $0.release = "2" }
        try await fixture.withWorker(jobs, change: nextRelease) {
            try await fixture.eventually("it ran", "SELECT count(*) = 1 FROM tenure.job_history")
        }
    }

    @Test func `an operator's cancel reaches a running job and costs no attempt`() async throws {
        let fixture = try await WorkerFixture("cancel")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, context in
            do {
                try await Task.sleep(for: .seconds(30))
            } catch {
                // Wrapped, as a domain's errors are.
                throw Broken(cause: error)
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Edit(text: "long"))
            try await fixture.eventually(
                "it runs", "SELECT count(*) = 1 FROM tenure.job WHERE state = 'running'")
            #expect(
                try await fixture.value(
                    "SELECT tenure.cancel_job('\(job.id)', 'ada')", as: String.self) == "cancelling"
            )
            try await fixture.eventually(
                "it let go",
                """
                SELECT count(*) = 1 FROM tenure.job_history
                WHERE outcome = 'cancelled' AND attempt = 0 AND reason = 'ada'
                """)
        }
        #expect(
            try await fixture.value("SELECT count(*) FROM tenure.attempt_error", as: Int64.self)
                == 0)
    }

    @Test func `a commit holds the writes, the follow-ups and the outcome together`() async throws {
        let fixture = try await WorkerFixture("commit")
        try await fixture.pool.simple("CREATE TABLE effect (text text)")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { edit, context in
            try await context.commit { transaction in
                try await transaction.query("INSERT INTO effect VALUES ($1)", [edit.text])
                if edit.text.count < 5 {
                    try context.client.enqueue(
                        Edit(text: edit.text + "+"), .superseding("grow"), in: transaction)
                }
            }
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Edit(text: "a"), .superseding("grow"))
            try await fixture.eventually(
                "the chain ended",
                "SELECT count(*) = 5 FROM tenure.job_history WHERE outcome = 'completed'")
        }
        #expect(
            try await fixture.value(
                "SELECT string_agg(text, ',' ORDER BY text) FROM effect", as: String.self)
                == "a,a+,a++,a+++,a++++")
    }

    @Test func `shutdown hands running jobs back with their attempt`() async throws {
        let fixture = try await WorkerFixture("shutdown")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, _ in
            try await Task.sleep(for: .seconds(30))
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue((0..<9).map { try NewJob(Edit(text: "\($0)")) })
            try await fixture.eventually(
                "the slots are full", "SELECT count(*) >= 4 FROM tenure.job WHERE state = 'running'"
            )
        }
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM tenure.job WHERE state = 'available' AND attempt = 0",
                as: Int64.self) == 9)
    }
}
