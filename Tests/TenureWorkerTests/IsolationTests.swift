import Logging
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

/// A job that ends as it is told, once its key's gate is open.
private struct Waiting: Job {
    static let kind: JobKind = "waiting"
    static let options = JobOptions<Self>()
    let key: Int
    let ends: String
}

/// Keys that may end.
private actor Gates {
    private var open: Set<Int> = []
    private var started: Set<Int> = []

    func start(_ key: Int) { started.insert(key) }
    func end(_ key: Int) { open.insert(key) }
    func hasStarted(_ key: Int) -> Bool { started.contains(key) }
    func isOpen(_ key: Int) -> Bool { open.contains(key) }
}

/// A database whose default is more than READ COMMITTED: transactions keep the snapshot they began
/// with, and would decide by runs that are over.
@Suite(.serialized) struct IsolationTests {
    private static let keys = 40

    private func fixture(_ level: String) async throws -> WorkerFixture {
        let first = try await WorkerFixture("isolation")
        let name = try await first.value("SELECT current_database()", as: String.self)
        try await first.pool.simple(
            "ALTER DATABASE \(name) SET default_transaction_isolation = '\(level)'")
        await first.pool.close()
        return try WorkerFixture(conninfo: first.conninfo, "isolation")
    }

    @Test(.timeLimit(.minutes(3)), arguments: ["repeatable read", "serializable"])
    func `Keys that are enqueued while their runs end badly all come to an end`(
        level: String
    ) async throws {
        let fixture = try await fixture(level)
        let gates = Gates()
        var jobs = JobRegistry()
        jobs.handle(Waiting.self) { job, _ in
            if job.ends == "well" { return .completed }
            await gates.start(job.key)
            while await !gates.isOpen(job.key) { try await Task.sleep(for: .milliseconds(5)) }
            return .discard(reason: "as it was told")
        }
        try await fixture.withWorker(jobs, slots: Self.keys) {
            for part in stride(from: 0, to: Self.keys, by: 4) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for key in part..<min(part + 4, Self.keys) {
                        group.addTask { try await meet(key, gates, fixture) }
                    }
                    try await group.waitForAll()
                }
            }
            try await fixture.eventually(
                "an end of all keys", within: .seconds(20),
                "SELECT NOT EXISTS (SELECT FROM tenure.job)")
        }
        let done = try await fixture.count("tenure.job_history WHERE outcome = 'completed'")
        #expect(done >= Self.keys)
    }

    /// A run ends, discarded or cancelled, in the middle of a transaction that enqueues its key,
    /// and beside an enqueue of the library's own.
    private func meet(_ key: Int, _ gates: Gates, _ fixture: WorkerFixture) async throws {
        let client = fixture.client
        let mode = KeyMode.coalescing("key \(key)")
        let first = try await client.enqueue(Waiting(key: key, ends: "badly"), mode)
        while await !gates.hasStarted(key) { try await Task.sleep(for: .milliseconds(5)) }
        async let beside: Void = key % 4 < 2 ? enqueueBeside(key, mode, client) : ()
        while true {
            do {
                try await client.pool.transaction { transaction in
                    try await transaction.query("SELECT FROM tenure.job LIMIT 1")
                    if key.isMultiple(of: 2) {
                        await gates.end(key)
                    } else {
                        try await Operator(client: client, as: "a test").cancel(first.id)
                    }
                    try await fixture.eventually(
                        "the end of a run",
                        "SELECT NOT EXISTS (SELECT FROM tenure.job WHERE id = '\(first.id)')")
                    try client.enqueue(Waiting(key: key, ends: "well"), mode, in: transaction)
                }
                break
            } catch let error as PostgresError where error.sqlState == "40001" {
                continue
            }
        }
        try await beside
    }

    private func enqueueBeside(
        _ key: Int, _ mode: KeyMode, _ client: TenureClient
    ) async throws {
        for _ in 0..<5 {
            try await client.enqueue(Waiting(key: key, ends: "well"), mode)
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    @Test func `A job that waits for a run that is over is let go by a worker's sweep`()
        async throws
    {
        let fixture = try await WorkerFixture("stranded")
        try await fixture.client.enqueue(Waiting(key: 1, ends: "well"), .coalescing("key"))
        try await fixture.pool.simple(
            "UPDATE tenure.job SET state = 'waiting', waits_for_key = true")
        let recorder = Recorder()
        var jobs = JobRegistry()
        jobs.handle(Waiting.self) { _, _ in .completed }
        func often(_ configuration: inout WorkerConfiguration) {
            configuration.sweepInterval = .milliseconds(200)
        }
        try await fixture.recorded(by: recorder).withWorker(jobs, change: often) {
            try await fixture.eventually(
                "its end", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        #expect(
            recorder.all.contains {
                $0.level == .warning && $0.message.contains("waited for a run that is over")
            })
    }
}
