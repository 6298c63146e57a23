import EmbeddedPostgres
import Synchronization
import Tenure
import TenureSystem
import TestSupport
import Testing

@Suite(.serialized) struct CrashTests {
    /// What a producer was told, while PostgreSQL was killed under it.
    private final class Told: Sendable {
        let acknowledged = Mutex<[String]>([])
        let refused = Mutex<[String: Int]>([:])
    }

    @Test func `PostgreSQL killed five times under load loses and doubles nothing`() async throws {
        let fixture = try await FaultFixture()
        let server = try #require(fixture.postgres.server)
        let workers = try (0..<2).map { _ in
            try WorkerProcess(conninfo: fixture.conninfo, slots: 8)
        }
        defer { for worker in workers { worker.send(SIGKILL) } }
        let told = Told()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for producer in 0..<4 {
                group.addTask { await produce(producer, fixture, told) }
            }
            for _ in 0..<5 {
                try await Task.sleep(for: .seconds(2))
                server.kill()
                try await server.restart()
            }
            try await Task.sleep(for: .seconds(2))
            group.cancelAll()
        }
        try await fixture.eventually(
            "all jobs ended", within: .seconds(60), "SELECT count(*) = 0 FROM tenure.job")
        let acknowledged = told.acknowledged.withLock { $0 }
        let lost = try await fixture.pool.query(
            """
            SELECT count(*) FROM unnest($1::text[]) AS a (id)
            WHERE NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = a.id::uuid)
            """, [acknowledged]
        ) { try $0.decode(0, as: Int64.self) }[0]
        #expect(acknowledged.count > 100)
        #expect(lost == 0)
        #expect(try await fixture.expectOneCommitEach() == 0)
        print(
            "PostgreSQL killed 5 times: \(acknowledged.count) enqueues acknowledged, \(lost) lost;",
            "refused \(told.refused.withLock { $0 });",
            "\(try await fixture.number("SELECT count(*) FROM effect")) effects, none twice")
    }

    private func produce(_ producer: Int, _ fixture: FaultFixture, _ told: Told) async {
        var number = 0
        while !Task.isCancelled {
            number += 1
            do {
                let mode = number % 10 == 0 ? KeyMode.superseding("key \(producer)") : nil
                let id = try await fixture.enqueue(5, mode: mode)
                told.acknowledged.withLock { $0.append(id) }
            } catch is CancellationError {
                return
            } catch {
                let code = (error as? PostgresError)?.code.description ?? "\(error)"
                told.refused.withLock { $0[code, default: 0] += 1 }
            }
        }
    }
}
