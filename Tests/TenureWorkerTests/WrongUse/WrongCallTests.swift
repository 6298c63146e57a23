import Synchronization
import Tenure
import TenureCoordinator
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// Calls that can't work are answered where they are made.
@Suite(.timeLimit(.minutes(3))) struct WrongCallTests {
    @Test(arguments: enqueues + settings + schedules)
    func `what can't be meant is refused in one line, with the field and the remedy`(
        _ wrong: WrongUse
    ) async throws {
        // None of these comes as far as the tables.
        await wrong.check(on: try WorkerFixture(conninfo: "host=/nowhere", "wrong"))
    }

    @Test(arguments: transactions + waits + names)
    func `what the database finds out is answered in one line, with the remedy`(
        _ wrong: WrongUse
    ) async throws {
        await wrong.check(on: try await WorkerFixture("wrong"))
    }

    @Test(
        .disabled(if: TestPostgres.isPooled, "the pooler knows one user, and no settings"),
        arguments: direct)
    func `what only a session of one's own finds out is answered like that too`(
        _ wrong: WrongUse
    ) async throws {
        await wrong.check(on: try await WorkerFixture("wrong"))
    }

    static let enqueues: [WrongUse] = [
        .enqueue("an empty key", says: "key has 0 bytes", "give 1", mode: .keeping("")),
        .enqueue(
            "a lane without a name", says: "lane has 0 bytes",
            options: EnqueueOptions(lane: Lane(""))),
        .enqueue(
            "a lane's negative interval", says: "lane.minInterval is -1.0 seconds; give 0.0",
            options: EnqueueOptions(lane: Lane("a", minInterval: .seconds(-1)))),
        .enqueue(
            "a debouncing of less than nothing", says: "interval is -1.0 seconds; give 0.0",
            mode: .debounced("k", interval: .seconds(-1))),
        .enqueue(
            "a queue of 10,000 characters", says: "queue has 10000 bytes; give 1 to 128",
            options: EnqueueOptions(queue: QueueName(String(repeating: "q", count: 10_000)))),
        .enqueue(
            "a queue of two lines", says: "queue", "U+000A; remove",
            options: EnqueueOptions(queue: "a\nb")),
        .enqueue("a NUL in a payload", says: "payload.text", "remove", job: Slip(text: "a\0")),
        .enqueue("a payload that is no JSON", says: "Path: number", job: Slip(number: .nan)),
        .enqueue(
            "no attempts", says: "maxAttempts is 0; give 1 to",
            options: EnqueueOptions(maxAttempts: 0)),
        .enqueue(
            "the year 10000", says: "runTime is no date of the years 1 to 9999; give one",
            options: EnqueueOptions(runTime: .at(Date(timeIntervalSince1970: 253_402_300_800)))),
        .enqueue(
            "an endless delay", says: "runTime is", "; give",
            options: EnqueueOptions(runTime: .after(.seconds(Int64.max)))),
        .enqueue(
            "a batch that the job is to leave", says: "batch", "leavesBatch", "give one of them",
            options: EnqueueOptions(batch: UUID(), leavesBatch: true)),
    ]

    static let settings: [WrongUse] = [
        .worker("queues", says: "name at least one") { $0.queues = [:] },
        .worker("concurrency of queue a", says: "is -1; give 1 to") { $0.queues = ["a": -1] },
        .worker("lease", says: "give 1 second to 1 hour") { $0.lease = .zero },
        .worker("pollInterval", says: "; give") { $0.pollInterval = .seconds(-1) },
        .worker("grace", says: "; give") { $0.grace = .seconds(-1) },
        .worker("longRun", says: "; give") { $0.longRun = .seconds(-1) },
        .worker("exitWhenStuckFor", says: "; give") { $0.exitWhenStuckFor = .zero },
        .worker("release", says: "U+0000; remove it") { $0.release = "a\0" },
        .worker("release", says: "has 100000 bytes; give 1 to") {
            $0.release = String(repeating: "r", count: 100_000)
        },
        .coordinator("tick", says: "; give") { $0.tick = .zero },
        .coordinator("release", says: "U+000A; remove it") { $0.release = "a\n" },
        .coordinator("breaker.deaths", says: "; give") { $0.breaker?.deaths = 0 },
        WrongUse("two handlers of a kind", says: ["slip", "Slip", "Twin", "register one"]) {
            var jobs = JobRegistry()
            jobs.handle(Slip.self) { _, _ in .completed }
            jobs.handle(Twin.self) { _, _ in .completed }
            _ = try Worker(pool: $0.pool, jobs: jobs)
        },
    ]

    static let schedules: [WrongUse] = [
        WrongUse("an endless interval", says: ["schedule s fires every", "give 0.1 seconds to"]) {
            _ in _ = try Schedule("s", every: .seconds(Int64.max), Slip())
        },
        WrongUse("a wrong cron expression", says: ["the cron minute, \"61\"", "give 0 to 59"]) {
            _ in _ = try Schedule("s", cron: "61 * * * *", Slip())
        },
        WrongUse("schedules without an owner", says: ["need an owner; give the program's name"]) {
            let schedule = try Schedule("s", every: .seconds(60), Slip())
            _ = try Coordinator(pool: $0.pool, schedules: [schedule])
        },
        WrongUse("an owner of two lines", says: ["owner", "U+000A; remove it"]) {
            _ = try Coordinator(pool: $0.pool, owning: "a\nb")
        },
        WrongUse("ticks that never go on", says: ["every", "give 0.1 seconds to"]) {
            let schedules = Schedules(pool: $0.pool, as: "ada")
            _ = try await schedules.ticks(of: .every(.zero), after: Date(), count: 3)
        },
        WrongUse("fewer ticks than none", says: ["count is -1; give 0 to"]) {
            let schedules = Schedules(pool: $0.pool, as: "ada")
            _ = try await schedules.ticks(of: .every(.seconds(1)), after: Date(), count: -1)
        },
    ]

    static let transactions: [WrongUse] = [
        WrongUse("a statement that failed and was caught", says: ["[25P02]", "savepoint { }"]) {
            fixture in
            try await fixture.pool.transaction { transaction in
                do { try await transaction.query("SELECT 1 / 0") } catch {}
                try fixture.client.enqueue(Slip(), in: transaction)
            }
        },
        WrongUse("the same before COMMIT", says: ["had failed", "savepoint { }"]) {
            try await $0.pool.transaction { transaction -> Void in
                do { try await transaction.query("SELECT 1 / 0") } catch {}
            }
        },
        WrongUse("COMMIT as a statement", says: ["Return or throw from its closure"]) {
            _ = try await $0.pool.transaction { try await $0.query("COMMIT") }
        },
        WrongUse("a transaction that got out", says: ["the transaction is over", "closure"]) {
            let kept = Mutex<PostgresTransaction?>(nil)
            try await $0.pool.transaction { one in kept.withLock { $0 = one } }
            guard let escaped = kept.withLock({ $0 }) else { return }
            try $0.client.enqueue(Slip(), in: escaped)
        },
        WrongUse("one inside another, on one connection", says: ["pool has 1", "transaction"]) {
            let pool = PostgresPool(
                configuration: $0.pool.configuration, size: 1, acquireDeadline: .seconds(1),
                logger: $0.logger)
            try await pool.transaction { _ in try await pool.transaction { _ in } }
        },
        WrongUse("a deadline of none", says: ["no connection", "within 0.0 seconds"]) {
            var configuration = $0.pool.configuration
            configuration.statementDeadline = .zero
            let pool = PostgresPool(configuration: configuration, logger: $0.logger)
            _ = try await pool.query("SELECT 1")
        },
        WrongUse("a setting of the session", says: ["goes back to the pool", "SET LOCAL"]) {
            _ = try await $0.pool.query("set statement_timeout = '1s'")
        },
        WrongUse("the same in a transaction", says: ["goes back to the pool", "SET LOCAL"]) {
            try await $0.pool.transaction { transaction in
                try await transaction.query("SET LOCAL statement_timeout = '10s'")
                try await transaction.query("SET TRANSACTION READ ONLY")
                try await transaction.query(" ;SET\n SESSION statement_timeout = '1s'")
            }
        },
        WrongUse("a pool of none", says: ["size is 0", "Give 1"]) {
            let pool = PostgresPool(
                configuration: $0.pool.configuration, size: 0, logger: $0.logger)
            _ = try await pool.query("SELECT 1")
        },
        WrongUse("a closed pool", says: ["the pool is closed", "make a new one"]) {
            await $0.pool.close()
            try await $0.client.enqueue(Slip())
        },
    ]

    static let waits: [WrongUse] = [
        WrongUse("a job that was rolled back", says: ["there is no job", "rolled back"]) {
            fixture in
            let job = Mutex<JobID?>(nil)
            do {
                try await fixture.pool.transaction { transaction in
                    let gathered = try fixture.client.enqueue(Slip(), in: transaction)
                    job.withLock { $0 = gathered.id }
                    throw Forsaken()
                }
            } catch is Forsaken {}
            _ = try await fixture.client.end(of: job.withLock { $0 } ?? JobID())
        },
        WrongUse("a batch that is over", says: ["is over [TN004]", "start a new batch"]) {
            let batch = NewBatch([])
            try await $0.client.start(batch)
            try await $0.client.enqueue(Slip(), options: .init(batch: batch.id))
        },
        WrongUse("a zone that isn't one", says: ["\"Mars/Base\" is unknown", "give a name"]) {
            let schedule = try Schedule("s", cron: "@daily", zone: "Mars/Base", Slip())
            _ = try await Schedules(pool: $0.pool, as: "ada").add(schedule)
        },
    ]

    static let names: [WrongUse] = [
        WrongUse("less than no rows", says: ["limit is -1; give 1 to 100000"]) {
            _ = try await Lanes(client: $0.client).list(limit: -1)
        },
        WrongUse("less than no jobs", says: ["limit is 0; give 1 to 100000"]) {
            var filter = JobFilter()
            filter.limit = 0
            _ = try await Inspector(pool: $0.pool).jobs(filter)
        },
        WrongUse("a NUL in an operator's name", says: ["who does it has", "U+0000; remove"]) {
            try await Operator(client: $0.client, as: "ada\0").pause("default")
        },
        WrongUse("nobody's name", says: ["name of who does it has 0 bytes; give 1 to 256"]) {
            _ = try await Operator(client: $0.client, as: "").cancel(JobID())
        },
        WrongUse("a hold in a database without tables", says: ["Migrator(pool:).up()"]) {
            try await $0.pool.simple("DROP SCHEMA tenure CASCADE")
            let lanes = Lanes(client: $0.client)
            try await $0.pool.transaction {
                try await lanes.hold("a", for: .seconds(1), in: $0)
            }
        },
    ]

    static let direct: [WrongUse] = [
        WrongUse("an endless time in a transaction", says: ["idle_in_transaction", "range"]) {
            var configuration = $0.pool.configuration
            configuration.idleInTransactionTimeout = .seconds(Int64.max)
            let pool = PostgresPool(
                configuration: configuration, acquireDeadline: .seconds(3600), logger: $0.logger)
            _ = try await pool.query("SELECT 1", deadline: .seconds(3600))
        },
        WrongUse("a role without rights", says: ["[42501]", "tenure roles"]) {
            let role = "clerk_\(JobID().description.replacing("-", with: ""))"
            try await $0.pool.simple("CREATE ROLE \(role) LOGIN")
            let theirs = try WorkerFixture(conninfo: "\($0.conninfo) user=\(role)", "clerk")
            try await theirs.client.enqueue(Slip())
        },
    ]

    /// Not only in a table: without its bound it would end the process.
    @Test func `a number of ticks beyond all bounds is refused`() async throws {
        let pool = try WorkerFixture(conninfo: "host=/nowhere", "wrong").pool
        await #expect(throws: TenureError.self) {
            try await Schedules(pool: pool, as: "ada").ticks(
                of: .every(.seconds(1)), after: Date(), count: .max)
        }
    }

    private struct Forsaken: Error {}
}
