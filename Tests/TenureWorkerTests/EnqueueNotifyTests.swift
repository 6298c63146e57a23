import Tenure
import TenurePostgres
import TestSupport
import Testing

/// Whom `tenure.enqueue` wakes by itself.
@Suite struct EnqueueNotifyTests {
    private static let cases: [(script: String, told: [String])] = [
        ("SELECT FROM tenure.enqueue('k', queue => 'a')", ["a"]),
        ("SELECT FROM tenure.enqueue('k', queue => 'a', notify => false)", []),
        // Each queue of a transaction that begins with an enqueue.
        (
            """
            BEGIN; SELECT FROM tenure.enqueue('k', queue => 'a');
            SELECT FROM tenure.enqueue('k', queue => 'b'); COMMIT
            """, ["a", "b"]
        ),
        (
            """
            BEGIN; SELECT FROM tenure.enqueue('k', queue => 'a', notify => false);
            SELECT FROM tenure.enqueue('k', queue => 'b'); COMMIT
            """, []
        ),
        // Somebody's own transaction: it is theirs to say so.
        (
            """
            BEGIN; CREATE TEMPORARY TABLE own (); SELECT FROM tenure.enqueue('k', queue => 'a');
            SELECT FROM tenure.enqueue('k', queue => 'b', notify => true); COMMIT
            """, ["b"]
        ),
        // What one transaction began is over with it.
        (
            """
            BEGIN; SELECT FROM tenure.enqueue('k', queue => 'a'); COMMIT;
            BEGIN; CREATE TEMPORARY TABLE later (); SELECT FROM tenure.enqueue('k', queue => 'b');
            COMMIT
            """, ["a"]
        ),
    ]

    @Test(
        .disabled(if: TestPostgres.isPooled, "a pooler hides notifications"),
        .timeLimit(.minutes(1)), arguments: cases)
    func `an enqueue by SQL wakes the workers of its queue where the transaction is its own`(
        script: String, told: [String]
    ) async throws {
        let fixture = try await WorkerFixture("notify")
        let configuration = try PostgresConfiguration(fixture.conninfo)
        let listener = PostgresListener(
            configuration: configuration, channels: ["tenure_available", "end"])
        let running = Task { try await listener.run() }
        var events = listener.events.makeAsyncIterator()
        #expect(await events.next() == .listening)
        let connection = try await PostgresConnection.connect(configuration)
        defer { connection.close() }
        try await connection.simple(script)
        try await connection.simple("NOTIFY \"end\"")
        var heard: [String] = []
        while case .notification(let note)? = await events.next(), note.channel != "end" {
            heard.append(note.payload)
        }
        #expect(heard == told)
        running.cancel()
        _ = await running.result
    }
}
