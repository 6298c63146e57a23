import TenurePostgres
import TestSupport
import Testing

@Suite struct ListenerTests {
    @Test(.timeLimit(.minutes(1)))
    func `Notifications arrive, and again after the connection was lost`() async throws {
        var configuration = try await TestDatabase.configuration()
        configuration.applicationName = "listener\(UInt32.random(in: 0...(.max)))"
        let name = configuration.applicationName
        let listener = PostgresListener(configuration: configuration, channels: ["a \"b\"", name])
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        let control = try await TestDatabase.connection()
        defer { control.close() }
        for _ in 0..<2 {
            #expect(await events.next() == .listening)
            try await control.query("SELECT pg_notify('a \"b\"', 'x'), pg_notify($1, '')", [name])
            #expect(
                await events.next()
                    == .notification(.init(channel: "a \"b\"", payload: "x")))
            #expect(await events.next() == .notification(.init(channel: name, payload: "")))
            try await control.query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name=$1",
                [name])
            #expect(await events.next() == .lost)
        }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test(.timeLimit(.minutes(1)))
    func `A peer that falls silent is found out and replaced`() async throws {
        let (proxy, configuration) = try await TestDatabase.proxied()
        var quick = configuration
        quick.statementDeadline = .milliseconds(200)
        let listener = PostgresListener(
            configuration: quick, channels: ["x"], checkInterval: .milliseconds(100))
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        #expect(await events.next() == .listening)
        proxy.set(.freeze)
        #expect(await events.next() == .lost)
        proxy.set(nil)
        #expect(await events.next() == .listening)
        running.cancel()
        _ = await running.result
        proxy.stop()
    }
}
