import Logging
import Tenure
import TenureCoordinator
import TenureWorker
import TestSupport
import Testing

/// What happens to those who call a `run()` in a way that can't work, or close what it lives by.
@Suite(.timeLimit(.minutes(2))) struct RunTwiceTests {
    private static func worker(_ fixture: WorkerFixture) throws -> Worker {
        var configuration = WorkerConfiguration()
        configuration.lease = .seconds(3)
        return try Worker(
            pool: fixture.pool, jobs: JobRegistry(), configuration: configuration,
            logger: fixture.logger)
    }

    private static func coordinator(_ fixture: WorkerFixture) throws -> Coordinator {
        try Coordinator(pool: fixture.pool, logger: fixture.logger)
    }

    private static func isMisuse(_ error: any Error) -> Bool {
        (error as? TenureError)?.code == .misuse || (error as? PostgresError)?.code == .misuse
    }

    /// Runs it twice at a time, and once more when it is over.
    private static func misuse(
        isReady: @escaping @Sendable () -> Bool, _ run: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run() }
            while !isReady() { try await Task.sleep(for: .milliseconds(5)) }
            await #expect(performing: { try await run() }, throws: isMisuse)
            #expect(isReady(), "the first one goes on")
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        await #expect(performing: { try await run() }, throws: isMisuse)
    }

    @Test func `a worker that runs, or has run, says so to whoever runs it again`() async throws {
        let fixture = try await WorkerFixture("twice")
        let worker = try Self.worker(fixture)
        try await Self.misuse(isReady: { worker.isReady }, worker.run)
    }

    @Test func `a coordinator that runs, or has run, says so to whoever runs it again`()
        async throws
    {
        let fixture = try await WorkerFixture("twice")
        let coordinator = try Self.coordinator(fixture)
        try await Self.misuse(isReady: { coordinator.isReady }, coordinator.run)
    }

    @Test(.disabled(if: TestPostgres.isPooled, "a pooler hides notifications"))
    func `a listener listens once`() async throws {
        let fixture = try await WorkerFixture("twice")
        let listener = PostgresListener(
            configuration: fixture.pool.configuration, channels: ["c"], logger: fixture.logger)
        var events = listener.events.makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await listener.run() }
            #expect(await events.next() == .listening)
            await #expect(performing: { try await listener.run() }, throws: Self.isMisuse)
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        await #expect(performing: { try await listener.run() }, throws: Self.isMisuse)
    }

    @Test func `a worker that could not begin may be run again`() async throws {
        let empty = try WorkerFixture(
            conninfo: try await TestPostgres.shared().makeDatabase(), "late")
        let worker = try Self.worker(empty)
        await #expect(
            performing: { try await worker.run() },
            throws: { ($0 as? TenureError)?.code == .schemaMismatch })
        try await Migrator(pool: empty.pool).up()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            while !worker.isReady { try await Task.sleep(for: .milliseconds(5)) }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    /// Closes the pool under it, and expects it to say so.
    private static func closePool(
        _ fixture: WorkerFixture, isReady: () -> Bool,
        _ run: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await run() }
            while !isReady() { try await Task.sleep(for: .milliseconds(5)) }
            await fixture.pool.close()
            do {
                try await group.waitForAll()
                Issue.record("it ended as if nothing had been")
            } catch let error as PostgresError {
                #expect(error.code == .closed, "\(error)")
            }
        }
        #expect(!isReady())
        await #expect(performing: { try await run() }, throws: isMisuse)
    }

    @Test func `a worker whose pool is closed ends, and says why`() async throws {
        let fixture = try await WorkerFixture("closed")
        let worker = try Self.worker(fixture)
        try await Self.closePool(fixture, isReady: { worker.isReady }, worker.run)
    }

    @Test func `a coordinator whose pool is closed ends, and says why`() async throws {
        let fixture = try await WorkerFixture("closed")
        let coordinator = try Self.coordinator(fixture)
        try await Self.closePool(fixture, isReady: { coordinator.isReady }, coordinator.run)
    }

    @Test func `who starts on a closed pool is told at once`() async throws {
        let fixture = try await WorkerFixture("closed")
        await fixture.pool.close()
        for run in [try Self.worker(fixture).run, try Self.coordinator(fixture).run] {
            await #expect(
                performing: { try await run() },
                throws: { ($0 as? PostgresError)?.code == .closed })
        }
        await #expect(
            performing: { try await fixture.client.enqueue(Edit(text: "x")) },
            throws: { ($0 as? PostgresError)?.code == .closed })
    }
}
