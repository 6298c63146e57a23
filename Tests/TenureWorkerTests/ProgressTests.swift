import Logging
import Synchronization
import Tenure
import TenurePostgres
import Testing

@testable import TenureWorker

struct Copying: Job {
    static let kind: JobKind = "copying"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 3, .milliseconds(50)))
    let files: Int
}

/// What handlers say of how far they are, and what operators see of it.
@Suite struct ProgressTests {
    @Test func `operators see how far a run is, while it runs and afterwards`() async throws {
        let fixture = try await WorkerFixture("progress")
        let inspector = Inspector(pool: fixture.pool)
        let goesOn = Mutex(false)
        var jobs = JobRegistry()
        jobs.handle(Copying.self) { copying, context in
            for file in 0...10 { context.progress(done: Int64(file)) }
            context.progress(done: 40, total: 100, rate: 2.5, note: "on a.iso\0")
            while !goesOn.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            context.progress(done: 100, total: 100)
            return .completed
        }
        let job = try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Copying(files: 1)).id
            try await fixture.eventually(
                "a beat tells", "SELECT count(*) = 1 FROM tenure.job_progress")
            let seen = try #require(try await inspector.job(job)?.progress)
            #expect(
                seen.progress == JobProgress(done: 40, total: 100, rate: 2.5, note: "on a.iso"))
            #expect(seen.fence == (try await inspector.job(job)?.fence))
            goesOn.withLock { $0 = true }
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
            return job
        }
        // The worker was gone before its next beat: its last one brought the rest.
        let last = try #require(try await inspector.job(job)?.progress)
        #expect(last.progress == JobProgress(done: 100, total: 100))
    }

    @Test func `the last word is the latest run's, and what an earlier one said until then`()
        async throws
    {
        let fixture = try await WorkerFixture("runs")
        var jobs = JobRegistry()
        jobs.handle(Copying.self) { _, context in
            if context.runs < 3 { context.progress(done: Int64(context.runs * 10)) }
            if context.runs == 2 { return .snooze(for: .seconds(1)) }
            try await Task.sleep(for: .milliseconds(600))
            if context.runs == 1 { throw Broken() }
            return .completed
        }
        let id = try await fixture.withWorker(jobs, lease: .seconds(2)) {
            let job = try await fixture.client.enqueue(Copying(files: 1)).id
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
            return job
        }
        #expect(try await fixture.count("tenure.job_progress") == 1)
        let detail = try #require(try await Inspector(pool: fixture.pool).job(id))
        #expect(detail.progress?.progress.done == 20)
        #expect(try #require(detail.progress?.fence) < (try #require(detail.fence)))
    }

    /// Somebody who looks at the row under lock, in a transaction that stays open.
    @Test(arguments: ["FOR UPDATE", "deleting"]) func `no lease waits for a row of progress`(
        how: String
    ) async throws {
        let fixture = try await WorkerFixture("locked")
        var jobs = JobRegistry()
        jobs.handle(Copying.self) { _, context in
            for step in 0... {
                context.progress(done: Int64(step))
                try await Task.sleep(for: .milliseconds(20))
            }
            return .completed
        }
        try await fixture.withWorker(jobs, lease: .seconds(2)) {
            try await fixture.client.enqueue(Copying(files: 1))
            try await fixture.eventually("it runs", "SELECT count(*) = 1 FROM tenure.job_progress")
            let before: Int64 = try await fixture.value("SELECT beat FROM tenure.session")
            try await fixture.pool.transaction { transaction in
                try await transaction.simple(
                    how == "deleting"
                        ? "DELETE FROM tenure.job_progress"
                        : "SELECT FROM tenure.job_progress FOR UPDATE")
                try await fixture.eventually(
                    "the beats go on", within: .seconds(5),
                    "SELECT beat >= \(before + 3) FROM tenure.session")
            }
            #expect(try await fixture.count("tenure.session WHERE ended_at IS NOT NULL") == 0)
            #expect(try await fixture.count("tenure.job_history") == 0)
        }
    }

    @Test func `a report is no reason to fail`() {
        let progress = JobProgress(
            done: -1, total: -5, rate: .nan, note: String(repeating: "é", count: 900))
        #expect(progress.done == 0)
        #expect(progress.total == 0)
        #expect(progress.rate == nil)
        #expect(progress.note?.count == 500)
        #expect(JobProgress(done: 0, rate: .infinity).rate == nil)
        #expect(JobProgress(done: 0, rate: -1).rate == 0)
    }

    @Test func `what a failed beat carried goes with the next, unless there is newer`() {
        let board = ProgressBoard()
        let runs = (1...2).map { RunRef(job: JobID(), fence: Fence(Int64($0))) }
        #expect(board.take().isEmpty)
        for run in runs { board.report(JobProgress(done: 1), of: run) }
        let untold = board.take()
        #expect(untold.count == 2)
        #expect(board.take().isEmpty)
        board.report(JobProgress(done: 2), of: runs[0])
        board.putBack(untold)
        let next = Dictionary(uniqueKeysWithValues: board.take().map { ($0.run, $0.progress.done) })
        #expect(next == [runs[0]: 2, runs[1]: 1])
    }
}
