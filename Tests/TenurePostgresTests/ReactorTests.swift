import TenurePostgres
import TenureSystem
import Testing

@Suite struct ReactorTests {
    /// In a process of its own: the other tests need the cooperative pool.
    @Test func `Tasks on the reactor go on while the cooperative pool is blocked`() async {
        await #expect(processExitsWith: .success) {
            let pool = try await TestDatabase.pool()
            try await pool.query("SELECT 1")
            let lateness = try await withTaskExecutorPreference(PostgresReactor.shared.executor) {
                try await ReactorTests.latenessWithBlockedPool(pool)
            }
            #expect(lateness < .milliseconds(150))
        }
    }

    private static func latenessWithBlockedPool(_ pool: PostgresPool) async throws -> Duration {
        let blocked = Shared(0)
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        for _ in 0..<cores {
            Task(executorPreference: globalConcurrentExecutor) {
                blocked.change { $0 += 1 }
                usleep(1_500_000)
                blocked.change { $0 -= 1 }
            }
        }
        var worst = Duration.zero
        while blocked.value < cores { usleep(1_000) }
        for _ in 0..<20 {
            let start = ContinuousClock.now
            try await PostgresReactor.shared.sleep(for: .milliseconds(10))
            try await pool.query("SELECT 1")
            worst = max(worst, ContinuousClock.now - start)
        }
        #expect(blocked.value == cores)
        return worst
    }

    @Test func `A sleep lasts as long as it should, and ends with its task`() async throws {
        let start = ContinuousClock.now
        try await PostgresReactor.shared.sleep(for: .milliseconds(50))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
        let sleeper = Task { try await PostgresReactor.shared.sleep(for: .seconds(60)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `A reactor of its own has a thread of its own`() async throws {
        let reactor = PostgresReactor(name: "own")
        var configuration = try await TestDatabase.configuration()
        configuration.reactor = reactor
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        let threads = await withTaskExecutorPreference(reactor.executor) {
            let own = pthread_self()
            return await withTaskExecutorPreference(PostgresReactor.shared.executor) {
                (own, pthread_self())
            }
        }
        #expect(pthread_equal(threads.0, threads.1) == 0)
        #expect(try await connection.query("SELECT 1") == 1)
    }
}
