import Logging
import Tenure
import TenureWorker
import TestSupport
import Testing

/// A job whose handler is told what to do.
struct Stubborn: Job {
    static let kind: JobKind = "stubborn"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 3, .milliseconds(50)))
    let ignoresCancellation: Bool
}

/// How runs stop: at once, with everything they have started; and what is done about those that
/// don't.
@Suite struct StopTests {
    @Test func `a statement that a stopped run was waiting for ends on the server`() async throws {
        let fixture = try await WorkerFixture("statement")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, context in
            try await context.commit { transaction in
                try await transaction.query("SELECT pg_sleep(60) AS slow")
            }
        }
        let asleep = """
            SELECT count(*) = %d FROM pg_stat_activity
            WHERE state = 'active' AND query LIKE '%%AS slow%%' AND pid <> pg_backend_pid()
            """
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Edit(text: "slow"))
            try await fixture.eventually("it runs", Self.format(asleep, 1))
            try await Operator(client: fixture.client, as: "ada").cancel(job.id)
            try await fixture.eventually(
                "it is gone", within: .seconds(2), Self.format(asleep, 0))
            try await fixture.eventually(
                "and the job cancelled, for no attempt",
                """
                SELECT count(*) = 1 FROM tenure.job_history
                WHERE outcome = 'cancelled' AND attempt = 0
                """)
        }
        #expect(try await fixture.count("tenure.attempt_error") == 0)
    }

    private static func format(_ sql: String, _ number: Int) -> String {
        var sql = sql
        sql.replace("%d", with: "\(number)")
        sql.replace("%%", with: "%")
        return sql
    }

    @Test(arguments: [0, 3, 10, 30])
    func `a shutdown among commits leaves each job whole`(milliseconds: Int) async throws {
        let fixture = try await WorkerFixture("commits")
        try await fixture.pool.simple("CREATE TABLE effect (job uuid)")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, context in
            try await context.commit { transaction in
                try await transaction.query(
                    "INSERT INTO effect VALUES ($1)", [context.jobID.uuid])
            }
        }
        try await fixture.client.enqueue((0..<400).map { try NewJob(Edit(text: "\($0)")) })
        try await fixture.withWorker(jobs, slots: 8) {
            try await fixture.eventually("some are done", "SELECT count(*) > 20 FROM effect")
            try await Task.sleep(for: .milliseconds(milliseconds))
        }
        let rows = try await fixture.pool.query(
            """
            SELECT (SELECT count(*) FROM effect), (SELECT count(DISTINCT job) FROM effect),
                   (SELECT count(*) FROM effect e JOIN tenure.job_history h ON h.id = e.job
                    WHERE h.outcome = 'completed'),
                   (SELECT count(*) FROM tenure.job_history),
                   (SELECT count(*) FROM tenure.job WHERE state = 'available' AND attempt = 0)
            """
        ) { row in
            try (0..<5).map { try row.decode($0, as: Int64.self) }
        }[0]
        #expect(rows[0] == rows[1])
        #expect(rows[0] == rows[2])
        #expect(rows[0] == rows[3])
        #expect(rows[3] + rows[4] == 400)
        #expect(try await fixture.count("tenure.attempt_error") == 0)
    }

    @Test func `stopped runs, however they wrap it, are no failures and no error reports`()
        async throws
    {
        let recorder = Recorder()
        let fixture = try await WorkerFixture("reports").recorded(by: recorder)
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { edit, context in
            seen.saw("started \(edit.text)")
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { try await Task.sleep(for: .seconds(60)) } }
                    try await group.waitForAll()
                }
            } catch {
                throw Broken(cause: Broken(cause: Broken(cause: error)))
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let client = fixture.client
            try await client.enqueue(Edit(text: "old"), .superseding("page"))
            let job = try await client.enqueue(Edit(text: "plain"))
            try await client.enqueue(Edit(text: "last"))
            while seen.words.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
            try await client.enqueue(Edit(text: "new"), .superseding("page"))
            try await Operator(client: client, as: "ada").cancel(job.id)
            try await fixture.eventually(
                "both let go", "SELECT count(*) = 2 FROM tenure.job_history WHERE attempt = 0")
            while seen.words.count < 4 { try await Task.sleep(for: .milliseconds(5)) }
        }
        // The last two were handed back by the shutdown.
        try await fixture.eventually(
            "handed back",
            "SELECT count(*) = 2 FROM tenure.job WHERE state = 'available' AND attempt = 0")
        #expect(try await fixture.count("tenure.attempt_error") == 0)
        for line in recorder.all where line.level >= .notice {
            #expect(line.metadata["job.id"] == nil, "\(line)")
        }
    }

    @Test func `a run that was to stop has not failed, whatever it throws`() async throws {
        let recorder = Recorder()
        let fixture = try await WorkerFixture("dies").recorded(by: recorder)
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { edit, _ in
            seen.saw(edit.text)
            guard edit.text == "old" else { return .completed }
            // What a driver says whose connection was closed under it.
            do { try await Task.sleep(for: .seconds(60)) } catch { throw Broken() }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Edit(text: "old"), .superseding("page"))
            let job = try await fixture.client.enqueue(Edit(text: "old"))
            while seen.words.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
            try await fixture.client.enqueue(Edit(text: "new"), .superseding("page"))
            try await Operator(client: fixture.client, as: "ada").cancel(job.id)
            try await fixture.eventually(
                "all let go",
                """
                SELECT count(*) = 3 FROM tenure.job_history
                WHERE attempt = CASE outcome WHEN 'completed' THEN 1 ELSE 0 END
                """)
        }
        #expect(try await fixture.count("tenure.attempt_error") == 0)
        #expect(!recorder.all.contains { $0.level >= .notice && $0.metadata["job.id"] != nil })
    }

    @Test func `a handler that throws after its commit has not failed`() async throws {
        let recorder = Recorder()
        let fixture = try await WorkerFixture("after").recorded(by: recorder)
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, context in
            _ = try await context.commit()
            throw Broken()
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Edit(text: "a"))
            try await fixture.eventually(
                "it is done and let go",
                """
                SELECT count(*) = 1 FROM tenure.job_history
                WHERE outcome = 'completed' AND attempt = 1
                """)
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(try await fixture.count("tenure.attempt_error") == 0)
        #expect(!recorder.all.contains { $0.message == "job failed" })
        #expect(recorder.all.contains { $0.message.contains("after its commit") })
    }

    @Test func `a handler that ignores its cancellation is reported with its age`() async throws {
        let recorder = Recorder()
        let fixture = try await WorkerFixture("stuck").recorded(by: recorder)
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Stubborn.self) { _, _ in await Self.ignoreCancellation(for: .seconds(3), seen) }
        try await fixture.withWorker(jobs, lease: .seconds(3)) {
            let job = try await fixture.client.enqueue(Stubborn(ignoresCancellation: true))
            while seen.words.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            try await Operator(client: fixture.client, as: "ada").cancel(job.id)
            // Its slot isn't free before it has let go: the job stays running until then.
            try await Task.sleep(for: .seconds(2))
            #expect(try await fixture.count("tenure.job WHERE state = 'running'") == 1)
            try await fixture.eventually("it let go", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        let report = try #require(recorder.all.first { $0.message.contains("ignores its cancel") })
        #expect(report.level == .error)
        #expect(report.metadata["duration"] != nil)
        #expect(report.metadata["reason"] == "cancelled by ada")
    }

    private static func ignoreCancellation(
        for pause: Duration, _ seen: Sightings
    ) async -> JobOutcome {
        seen.saw("started")
        await Task { try? await Task.sleep(for: pause) }.value  // asleep, whatever is asked
        return .completed
    }

    @Test func `a process with a stuck handler lets the others end and exits with 75`()
        async throws
    {
        let fixture = try await WorkerFixture("exit")
        let conninfo = fixture.conninfo
        await #expect(processExitsWith: .exitCode(75)) { [conninfo = conninfo as String] in
            let fixture = try WorkerFixture(conninfo: conninfo, "exit")
            let seen = Sightings()
            var jobs = JobRegistry()
            jobs.handle(Stubborn.self) { job, _ in
                await Self.ignoreCancellation(
                    for: job.ignoresCancellation ? .seconds(600) : .seconds(3), seen)
            }
            let soon: (inout WorkerConfiguration) -> Void = { $0.exitWhenStuckFor = .seconds(1) }
            try await fixture.withWorker(jobs, change: soon) {
                let stuck = try await fixture.client.enqueue(Stubborn(ignoresCancellation: true))
                try await fixture.client.enqueue(Stubborn(ignoresCancellation: false))
                while seen.words.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
                try await Operator(client: fixture.client, as: "ada").cancel(stuck.id)
                try await Task.sleep(for: .seconds(60))
            }
        }
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'completed'") == 1)
        #expect(try await fixture.count("tenure.job WHERE state = 'running'") == 1)
    }
}
