import TenurePostgres
import TestSupport
import Testing

@Suite struct PoolTests {
    @Test func `Never more connections than the bound, and everyone is served`() async throws {
        let pool = try await TestDatabase.pool(size: 3)
        let now = Shared(0)
        let most = Shared(0)
        let processes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<60 {
                group.addTask {
                    try await pool.withConnection { connection in
                        let count = now.change { count in
                            count += 1
                            return count
                        }
                        most.change { $0 = max($0, count) }
                        try await connection.query("SELECT pg_sleep(0.002)")
                        now.change { $0 -= 1 }
                        return connection.processID
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(most.value <= 3)
        #expect(processes.count <= 3)
        await pool.close()
    }

    @Test func `Waiters are served in the order they came`() async throws {
        let pool = try await TestDatabase.pool(size: 1)
        let order = Shared<[Int]>([])
        let waiters = try await pool.withConnection { _ in
            var waiters: [Task<Void, any Error>] = []
            for number in 0..<5 {
                waiters.append(
                    Task {
                        try await pool.withConnection { _ in order.change { $0.append(number) } }
                    })
                try await Task.sleep(for: .milliseconds(50))
            }
            return waiters
        }
        for waiter in waiters { try await waiter.value }
        #expect(order.value == [0, 1, 2, 3, 4])
        await pool.close()
    }

    @Test func `A waiter that is cancelled gets away at once and costs nothing`() async throws {
        let pool = try await TestDatabase.pool(size: 1)
        try await pool.withConnection { _ in
            let waiter = Task { try await pool.query("SELECT 1") }
            try await Task.sleep(for: .milliseconds(20))
            let start = ContinuousClock.now
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
            #expect(ContinuousClock.now - start < .seconds(4))
        }
        #expect(try await pool.query("SELECT 1") == 1)
        await pool.close()
    }

    @Test func `Whoever waits too long is told`() async throws {
        let pool = try await TestDatabase.pool(size: 1, acquireDeadline: .seconds(2))
        try await pool.withConnection { _ in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT 1")
            }
            #expect(error?.code == .poolTimedOut)
        }
        #expect(try await pool.query("SELECT 1") == 1)
        await pool.close()
    }

    @Test func `A server that was never there is no pool that is too small, and is told of once`()
        async throws
    {
        let log = LogCatch()
        let pool = PostgresPool(
            configuration: try PostgresConfiguration("host=127.0.0.1 port=1 connect_timeout=2"),
            size: 3, acquireDeadline: .seconds(2), logger: log.logger)
        let error = await #expect(throws: PostgresError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 { group.addTask { try await pool.query("SELECT 1") } }
                try await group.waitForAll()
            }
        }
        #expect(error?.code == .connectFailed && error?.isTransient == true)
        await pool.close()
        let lines = log.text.split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("warning can't connect to the database") } == 1)
        #expect(lines.count { $0.hasPrefix("debug can't connect to the database") } > 0)
    }

    @Test func `Cancelled waiters and callers leave every connection usable`() async throws {
        let pool = try await TestDatabase.pool(size: 2)
        await withTaskGroup(of: Void.self) { group in
            for round in 0..<200 {
                group.addTask {
                    let task = Task { try await pool.query("SELECT pg_sleep(0.003)") }
                    try? await Task.sleep(for: .microseconds(round * 97 % 4_000))
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        for number in 0..<20 {
            #expect(try await pool.execute(SelectNumber(number: number)) == [number + 1])
        }
        await pool.close()
    }

    @Test func `A killed backend is replaced`() async throws {
        let pool = try await TestDatabase.pool(size: 2)
        let victim = try await pool.withConnection { $0.processID }
        let control = try await TestDatabase.connection()
        defer { control.close() }
        // With a time limit it waits until the process is gone.
        try await control.query("SELECT pg_terminate_backend($1, 30000)", [victim])
        try await Task.sleep(for: .milliseconds(50))
        #expect(try await pool.query("SELECT 1") == 1)
        let error = await #expect(throws: PostgresError.self) {
            try await pool.query("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        #expect(error?.isConnectionLoss == true)
        #expect(error?.isTransient == true)
        #expect(try await pool.query("SELECT 1") == 1)
        await pool.close()
    }

    @Test func `A transaction left open isn't handed to the next`() async throws {
        let pool = try await TestDatabase.pool(size: 1)
        try await pool.simple("BEGIN; CREATE TABLE left_open (x int)")
        #expect(try await pool.query("SELECT FROM pg_class WHERE relname = 'left_open'") == 0)
        await pool.close()
    }

    @Test func `A wrong database is told at once, not after the wait`() async throws {
        let configuration = try PostgresConfiguration(
            "\(try await TestDatabase.conninfo()) dbname=there_is_none")
        let pool = PostgresPool(configuration: configuration, acquireDeadline: .seconds(30))
        let start = ContinuousClock.now
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(error?.sqlState == "3D000")
        #expect(ContinuousClock.now - start < .seconds(15))
        await pool.close()
    }

    @Test func `A database that comes back within the wait is no error`() async throws {
        let (proxy, configuration) = try await TestDatabase.proxied()
        let pool = PostgresPool(
            configuration: configuration, size: 2, acquireDeadline: .seconds(30))
        proxy.set(.cutBefore("tenure"))
        async let answer = pool.query("SELECT 1")
        try await Task.sleep(for: .milliseconds(400))
        proxy.set(nil)
        #expect(try await answer == 1)
        proxy.stop()
        await pool.close()
    }

    @Test func `Closing waits for what is lent and refuses what comes`() async throws {
        let pool = try await TestDatabase.pool(size: 1)
        let isClosed = Shared(false)
        let closing = try await pool.withConnection { connection in
            let closing = Task {
                await pool.close()
                isClosed.change { $0 = true }
            }
            try await Task.sleep(for: .milliseconds(100))
            #expect(!isClosed.value)
            try await connection.query("SELECT 1")
            return closing
        }
        await closing.value
        let error = await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        #expect(error?.code == .closed)
    }
}
