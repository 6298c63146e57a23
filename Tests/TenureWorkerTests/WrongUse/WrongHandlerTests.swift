import Logging
import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// What a handler may do wrong: its job comes to an end all the same, and a line says what it was.
@Suite(.timeLimit(.minutes(3))) struct WrongHandlerTests {
    typealias Handler = @Sendable (Slip, JobContext) async throws -> JobOutcome

    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How the job ends, whose kind has one attempt.
        let ends: JobStatus
        /// In the line that the handler gets to see.
        let says: [String]
        let handler: Handler

        init(_ name: String, ends: JobStatus, says: String..., handler: @escaping Handler) {
            (testDescription, self.ends, self.says) = (name, ends, says)
            self.handler = handler
        }
    }

    /// Runs one job by the handler.
    private static func run(
        _ fixture: WorkerFixture, _ handler: @escaping Handler,
        _ afterwards: @escaping @Sendable (JobEnd) async throws -> Void = { _ in }
    ) async throws -> JobEnd {
        var jobs = JobRegistry()
        jobs.handle(Slip.self, handler)
        return try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Slip()).id
            let end = try await fixture.client.end(of: job, deadline: .seconds(30))
            try await afterwards(end)
            return end
        }
    }

    @Test(arguments: commits + outcomes)
    func `a handler that is wrong is told so, and its job ends`(_ wrong: Wrong) async throws {
        let thrown = Mutex<String?>(nil)
        let hasReturned = Signal()
        let handler: Handler = { job, context in
            defer { hasReturned.notify() }
            do { return try await wrong.handler(job, context) } catch {
                thrown.withLock { $0 = "\(error)" }
                throw error
            }
        }
        // A commit ends the job, and the handler goes on.
        let end = try await Self.run(try await WorkerFixture("wrong"), handler) { _ in
            await hasReturned.wait()
        }
        #expect(end.status == wrong.ends)
        let line = thrown.withLock { $0 } ?? end.lastError ?? ""
        for part in wrong.says { #expect(line.contains(part), "\(line)") }
    }

    struct Payment: Job {
        static let kind: JobKind = "payment"
        static let options = JobOptions<Self>(secretFields: ["card", "pin", "holder.name", "note"])
        var cardNumber = "4000"
        var pin: String?
        var holder = ["name": "Ada"]
    }

    @Test func `secret fields that no payload has are told of, once`() async throws {
        let log = Recorder()
        let fixture = try await WorkerFixture("secret").recorded(by: log)
        var jobs = JobRegistry()
        jobs.handle(Payment.self) { _, _ in .completed }
        try await fixture.withWorker(jobs) {
            for _ in 1...3 {
                let job = try await fixture.client.enqueue(Payment()).id
                _ = try await fixture.client.end(of: job, deadline: .seconds(30))
            }
        }
        let told = log.all.filter { $0.message.hasPrefix("secretFields") }
        #expect(told.map(\.level) == [.warning])
        let reason = told.first?.metadata["reason"].map { "\($0)" }
        #expect(
            reason == "no card, note among cardNumber, holder, pin; name fields as the payload's "
                + "JSON has them")
    }

    static let commits: [Wrong] = [
        Wrong("commits twice", ends: .completed, says: "has ended already", "checkpoint") {
            _ = try await $1.commit()
            return try await $1.commit()
        },
        Wrong("commits twice at a time", ends: .completed, says: "has ended already") {
            async let one = $1.commit { try await $0.query("SELECT pg_sleep(0.2)") }
            async let other = $1.commit { try await $0.query("SELECT pg_sleep(0.2)") }
            _ = try await one
            return try await other
        },
        Wrong("commits in its commit", ends: .completed, says: "has ended already") {
            _, context in try await context.commit { _ in _ = try await context.commit() }
        },
        Wrong("commits in a checkpoint", ends: .completed, says: "has ended already") {
            _, context in
            try await context.checkpoint { _ in _ = try await context.commit() }
            return .completed
        },
        Wrong("catches a failed statement", ends: .discarded, says: "25P02", "savepoint { }") {
            try await $1.commit { transaction in
                do { try await transaction.query("SELECT 1 / 0") } catch {}
            }
        },
        Wrong("ends its transaction", ends: .discarded, says: "Return or throw from its closure") {
            try await $1.commit { try await $0.query("COMMIT") }
        },
        Wrong("gathers up to none", ends: .discarded, says: "up to 0 jobs", "give 1 or more") {
            try await $1.commit(1, by: ChunkWriter<Int>(upTo: 0) { _, _ in })
        },
        Wrong("asks a commit for a retry", ends: .discarded, says: "then return .retry") {
            try await $1.commit(.retry(after: .zero, reason: "later"))
        },
    ]

    static let outcomes: [Wrong] = [
        Wrong("throws a cancellation", ends: .discarded) { _, _ in throw CancellationError() },
        Wrong("has a result that is no JSON", ends: .discarded, says: "the result", "nan") {
            _, _ in try .completed(result: Double.nan)
        },
        Wrong("has a result without bounds", ends: .discarded, says: "result has 2000002 bytes") {
            _, _ in try .completed(result: String(repeating: "x", count: 2_000_000))
        },
        Wrong("puts a nameless lane on hold", ends: .discarded, says: "lane has 0 bytes; give") {
            _, _ in .snooze(for: .zero, holding: LaneHold("", for: .seconds(1)))
        },
        Wrong("goes on as another kind", ends: .discarded, says: "stranger", "slip") {
            try await $1.goOn(in: Lane("x"), as: Stranger())
        },
    ]

    /// Of two jobs the second returns what the first one's commit gave.
    @Test func `the value of another run's commit ends no job`() async throws {
        let fixture = try await WorkerFixture("other")
        let first = Mutex<JobOutcome?>(nil)
        var jobs = JobRegistry()
        jobs.handle(Slip.self) { _, context in
            if let other = first.withLock({ $0 }) { return other }
            let own = try await context.commit()
            first.withLock { $0 = own }
            return own
        }
        try await fixture.withWorker(jobs) {
            let one = try await fixture.client.enqueue(Slip()).id
            #expect(try await fixture.client.end(of: one).status == .completed)
            let other = try await fixture.client.enqueue(Slip()).id
            let end = try await fixture.client.end(of: other)
            #expect(end.status == .discarded)
            let line = end.lastError ?? ""
            #expect(line.contains("another run's commit") && line.contains("its own"), "\(line)")
        }
    }

    @Test func `a finish that was rolled back, and returned all the same, is a failed attempt`()
        async throws
    {
        let fixture = try await WorkerFixture("rolled back")
        let end = try await Self.run(fixture) { _, context in
            let finished = Mutex<JobOutcome?>(nil)
            do {
                try await fixture.pool.transaction { transaction in
                    let outcome = try await context.finish(on: Borrowed(transaction: transaction))
                    finished.withLock { $0 = outcome }
                    throw Forsaken()
                }
            } catch is Forsaken {}
            return finished.withLock { $0 } ?? .completed
        }
        #expect(end.status == .discarded)
        #expect(end.lastError?.contains("after its transaction has committed") == true)
    }

    @Test func `a finish that was committed is the job's end`() async throws {
        let fixture = try await WorkerFixture("finished")
        let end = try await Self.run(fixture) { _, context in
            try await fixture.pool.transaction {
                try await context.finish(on: Borrowed(transaction: $0))
            }
        }
        #expect(end.status == .completed)
    }

    @Test func `who uses its context after the handler's return is told, and the log says it`()
        async throws
    {
        let log = Recorder()
        let fixture = try await WorkerFixture("after").recorded(by: log)
        let kept = Mutex<JobContext?>(nil)
        let keep: Handler = { _, context in
            kept.withLock { $0 = context }
            return .completed
        }
        _ = try await Self.run(fixture, keep) { _ in
            guard let context = kept.withLock({ $0 }) else { return }
            for _ in 1...3 { context.progress(done: 1) }
            let calls: [() async throws -> Void] = [
                { _ = try await context.commit() }, { try await context.checkpoint { _ in } },
            ]
            for call in calls {
                let error = await #expect(throws: TenureError.self) { try await call() }
                #expect(error?.code == .misuse)
                #expect(error?.message.contains("await it in the handler") == true)
            }
        }
        let lines = log.all.filter { $0.message.contains("after its handler had returned") }
        #expect(lines.count == 1)
        #expect(lines.first?.level == .warning)
        #expect(try await fixture.count("tenure.job_progress") == 0)
    }

    private static let contradictions: [(JobOutcome, String?)] = [
        (.discard(reason: "no"), "that it is discarded: no"),
        (.retry(after: .seconds(1), reason: "busy"), "that it is tried again: busy"),
        (.snooze(for: .seconds(1)), "that the job goes on"), (.completed, nil),
    ]

    @Test(arguments: contradictions)
    func `what a handler returns against its own commit is said, and not taken`(
        returned: JobOutcome, line: String?
    ) async throws {
        let log = Recorder()
        let fixture = try await WorkerFixture("against").recorded(by: log)
        let ended = try await Self.run(fixture) { _, context in
            _ = try await context.commit()
            return returned
        }
        #expect(ended.status == .completed)
        let said = log.all.filter { $0.message.contains("its commit was the job's end") }
        #expect(said.map { $0.metadata["reason"]?.description } == (line.map { [$0] } ?? []))
    }

    @Test(.disabled(if: TestPostgres.isPooled, "a pooler hides notifications"))
    func `a client whose pool is closed stops listening, and complains of nothing`() async throws {
        let log = Recorder()
        let other = try await WorkerFixture("closed")
        let fixture = try other.recorded(by: log)
        let job = try await fixture.client.enqueue(Slip()).id
        let pause = Duration.milliseconds(300)
        _ = await #expect(throws: TenureError.self) {
            try await fixture.client.end(of: job, deadline: pause)
        }
        let listeners = """
            SELECT count(*)::integer FROM pg_stat_activity
            WHERE datname = current_database() AND query LIKE 'LISTEN%'
            """
        #expect(try await other.value(listeners, as: Int32.self) == 1)
        await fixture.pool.close()
        // Ten seconds it would stay, where the pool were open.
        try await other.eventually(
            "nobody listens", within: .seconds(5), "SELECT (\(listeners)) = 0")
        #expect(!log.all.contains { $0.level >= .warning })
    }

    @Test func `a worker without handlers says that it runs nothing`() async throws {
        let log = Recorder()
        let fixture = try await WorkerFixture("idle").recorded(by: log)
        try await fixture.withWorker(JobRegistry()) {
            try await fixture.eventually("it works", "SELECT count(*) = 1 FROM tenure.session")
        }
        let lines = log.all.filter { $0.level == .warning && $0.message.contains("no handlers") }
        #expect(lines.count == 1)
    }

    @Test func `a worker says which of its kinds wait for another`() async throws {
        let log = Recorder()
        let fixture = try await WorkerFixture("elsewhere").recorded(by: log)
        var jobs = JobRegistry()
        jobs.handle(Slip.self) { _, _ in .completed }
        jobs.handle(Sorted.self) { _, _ in .completed }
        try await fixture.withWorker(jobs) {
            try await fixture.eventually("it works", "SELECT count(*) = 1 FROM tenure.session")
        }
        let lines = log.all.filter { $0.message.contains("wait for another worker") }
        #expect(lines.map { $0.metadata["kinds"]?.description } == ["sorted (queue mail)"])
        #expect(lines.map(\.level) == [.notice])
    }

    private struct Sorted: Job {
        static let kind: JobKind = "sorted"
        static let options = JobOptions<Self>(queue: "mail")
    }

    private struct Forsaken: Error {}
}

/// A driver of the program's own.
private struct Borrowed: SQLExecutor {
    let transaction: PostgresTransaction

    func execute(sql: String, parameters: [String?]) async throws -> [[String?]] {
        try await transaction.query(sql, parameters) { _ in [] }
    }
}
