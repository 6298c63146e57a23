import Synchronization
import TenurePostgres
import TestSupport
import Testing

@Suite struct CancellationTests {
    @Test func `A cancellation never hits the next statement`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        var cancelled = 0
        for round in 0..<600 {
            let task = Task { try await connection.query("SELECT pg_sleep(0.002)") }
            let next = Task { try await connection.execute(SelectNumber(number: round)) }
            try await Task.sleep(for: .microseconds(round % 40 * 50))
            task.cancel()
            do {
                _ = try await task.value
            } catch is CancellationError {
                cancelled += 1
            }
            #expect(try await next.value == [round + 1])
        }
        #expect(cancelled > 0)
    }

    @Test func `A running statement is cancelled on the server`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let start = ContinuousClock.now
        let task = Task { try await connection.query("SELECT pg_sleep(30)") }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try await connection.execute(SelectNumber(number: 1)) == [2])
    }

    @Test func `A pool that closes waits for its cancel requests`() async throws {
        let (proxy, configuration) = try await TestDatabase.proxied()
        defer { proxy.stop() }
        let pool = PostgresPool(configuration: configuration, size: 1)
        let task = Task { try await pool.query("SELECT pg_sleep(31)") }
        let other = try await TestDatabase.connection()
        defer { other.close() }
        let running = "SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(31)'"
        while try await other.query(running) == 0 {
            try await Task.sleep(for: .milliseconds(10))
        }
        proxy.set(.holdEnds)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        let isClosed = Mutex(false)
        let closing = Task {
            await pool.close()
            isClosed.withLock { $0 = true }
        }
        try await Task.sleep(for: .milliseconds(200))
        #expect(isClosed.withLock { !$0 })
        proxy.set(nil)
        await closing.value
    }

    /// Runs `body` while the connection is busy with something long.
    private func whileBusy(_ body: (PostgresConnection) async throws -> Void) async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let running = Task { try await connection.query("SELECT pg_sleep(20)") }
        try await Task.sleep(for: .milliseconds(50))
        try await body(connection)
        running.cancel()
        await #expect(throws: CancellationError.self) { _ = try await running.value }
    }

    @Test func `A waiting request is dropped, long before its turn`() async throws {
        let name = "t\(UInt32.random(in: 0...(.max)))"
        let start = ContinuousClock.now
        try await whileBusy { connection in
            let waiting = Task { try await connection.query("CREATE TABLE \(name) (x int)") }
            try await Task.sleep(for: .milliseconds(20))
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        }
        #expect(ContinuousClock.now - start < .seconds(15))
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        #expect(
            try await connection.query("SELECT FROM pg_class WHERE relname = $1", [name]) == 0)
    }

    @Test func `A task cancelled before it asks sends nothing`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await connection.query("SELECT 1")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `A statement past its deadline is cancelled on the server`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let start = ContinuousClock.now
        let error = await #expect(throws: PostgresError.self) {
            try await connection.query("SELECT pg_sleep(30)", deadline: .milliseconds(100))
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try await connection.execute(SelectNumber(number: 1)) == [2])
    }

    @Test func `A deadline also ends the wait behind another statement`() async throws {
        try await whileBusy { connection in
            let error = await failure {
                try await connection.query("SELECT 1", deadline: .milliseconds(50))
            }
            #expect(error?.code == .deadlineExceeded)
        }
    }
}
