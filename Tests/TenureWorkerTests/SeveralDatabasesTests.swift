import EmbeddedPostgres
import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// One process with several queues of work: databases, and schemas of one.
@Suite struct SeveralDatabasesTests {
    private struct Bill: Job {
        static let kind: JobKind = "bill"
        static let options = JobOptions<Self>(queue: "bills")
        let number: Int
    }

    private struct Mail: Job {
        static let kind: JobKind = "mail"
        static let options = JobOptions<Self>()
        let number: Int
    }

    /// What ran, and in the name of which database.
    private final class Done: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private func jobs(_ name: String, _ done: Done) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Bill.self) { job, _ in
            done.add("\(name) bill \(job.number)")
            return .completed
        }
        jobs.handle(Mail.self) { job, _ in
            done.add("\(name) mail \(job.number)")
            return .completed
        }
        return jobs
    }

    private func wait(
        within limit: Duration, until isSo: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !isSo() {
            guard ContinuousClock.now < end else { throw NeverHappened(what: "in \(limit)") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func `one database that is down costs the other's jobs nothing`() async throws {
        let server = try await TestPostgres.dedicated()
        let bills = try WorkerFixture(
            conninfo: try await server.makeMigratedDatabase(), "bills")
        let mails = try await WorkerFixture("mails")
        let routes = QueueRoutes(["bills": bills.client], others: mails.client)
        let done = Done()
        let both: (inout WorkerConfiguration) -> Void = {
            $0.queues = ["bills": 2, .default: 2]
        }
        try await bills.withWorker(jobs("bills", done), change: both) { [jobs] in
            try await mails.withWorker(jobs("mails", done)) {
                try await routes.enqueue(Bill(number: 1))
                try await routes.enqueue(Mail(number: 1))
                try await wait(within: .seconds(60)) {
                    Set(done.all) == ["bills bill 1", "mails mail 1"]
                }
                server.server?.kill()
                // Longer than a lease: whoever held one of the database that is gone lets go.
                let end = ContinuousClock.now + .seconds(5)
                var number = 1
                while ContinuousClock.now < end {
                    number += 1
                    try await routes.enqueue(Mail(number: number))
                    try await wait(within: .seconds(20)) {
                        done.all.last == "mails mail \(number)"
                    }
                }
                #expect(number > 20, "\(number) in five seconds")
                try await server.server?.restart()
                try await wait(within: .seconds(60)) {
                    do {
                        try await routes.enqueue(Bill(number: 2))
                        return true
                    } catch is PostgresError { return false }
                }
                try await wait(within: .seconds(60)) { done.all.contains("bills bill 2") }
            }
        }
        #expect(!done.all.contains { $0.hasPrefix("bills mail") || $0.hasPrefix("mails bill") })
        let lost = try await mails.count("tenure.attempt_error")
        #expect(lost == 0)
    }

    @Test func `two schemas of one database are two queues of work`() async throws {
        let conninfo = try await TestPostgres.shared().makeDatabase()
        let done = Done()
        var clients: [TenureClient] = []
        var workers: [Worker] = []
        for tenant in ["acme", "zeta"] {
            var configuration = try PostgresConfiguration(conninfo)
            configuration.schemas = ["tenure": tenant]
            let pool = PostgresPool(configuration: configuration)
            try await Migrator(pool: pool).up()
            clients.append(TenureClient(pool: pool))
            var settings = WorkerConfiguration()
            settings.queues = [.default: 2, "bills": 2]
            workers.append(
                try Worker(pool: pool, jobs: jobs(tenant, done), configuration: settings))
        }
        try await withThrowingTaskGroup(of: Void.self) { [clients, workers] group in
            for worker in workers { group.addTask { try await worker.run() } }
            for number in 1...20 {
                for client in clients {
                    // The same key in both: neither supersedes the other's.
                    try await client.enqueue(Bill(number: number), .superseding("bill-\(number)"))
                }
            }
            let wanted = ["acme", "zeta"].flatMap { tenant in
                (1...20).map { "\(tenant) bill \($0)" }
            }
            try await wait(within: .seconds(60)) { done.all.count >= wanted.count }
            #expect(done.all.sorted() == wanted.sorted())
            group.cancelAll()
            while let ended = await group.nextResult() { _ = ended }
        }
        for client in clients { await client.pool.close() }
    }

    @Test func `what leads nowhere, or to two databases, is refused before anything is written`()
        async throws
    {
        let here = try await WorkerFixture("here")
        let there = try await WorkerFixture("there")
        let routes = QueueRoutes(["bills": here.client, "late": here.client, "x": there.client])
        let both = [
            try NewJob(Bill(number: 1)), try NewJob(Mail(number: 1), options: .init(queue: "x")),
        ]
        let across = await #expect(throws: TenureError.self) { try await routes.enqueue(both) }
        #expect(across?.code == .invalidJob && across?.message.contains("bills and x") == true)
        let nowhere = await #expect(throws: TenureError.self) {
            try await routes.enqueue(Mail(number: 1))
        }
        #expect(nowhere?.message.contains("default has no route") == true)
        #expect(try await here.count("tenure.job") == 0)
        #expect(try await there.count("tenure.job") == 0)
        try await routes.enqueue([
            try NewJob(Bill(number: 1)),
            try NewJob(Mail(number: 1), options: .init(queue: "late")),
        ])
        #expect(try await here.count("tenure.job") == 2)
        #expect(try routes.client(for: "x").pool === there.pool)
    }
}
