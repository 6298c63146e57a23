import FaultSupport
import Tenure
import TestSupport
import Testing

/// A migrator that goes silent at the worst moment.
@Suite struct MigrationTests {
    private static let expansion = Migration(
        name: "9998_expand.sql",
        sql: """
            -- Wants a table alone.
            -- Serves from: \(Migration.tenure.last?.name ?? "")
            ALTER TABLE tenure.job ADD COLUMN extra text;
            """)

    @Test func `no table is held by a migrator that the network has swallowed`() async throws {
        let fixture = try await FaultFixture()
        let proxy = try DatabaseProxy(to: fixture.postgres.socketFile)
        let cutOff = try fixture.pool(behind: proxy, size: 1)
        proxy.change { $0.strandsServer = true }
        proxy.arm(.before)
        let migrator = Migrator(pool: cutOff, migrations: Migration.tenure + [Self.expansion])
        do {
            try await migrator.up()
        } catch let error as PostgresError {
            #expect(proxy.cutAt != nil, "\(error)")
        }
        // The server has not heard that the client is gone, and what it holds it holds on.
        try await fixture.pool.query(
            "SELECT count(*) FROM tenure.job", deadline: .seconds(5))
        try await Migrator(
            pool: fixture.pool, migrations: Migration.tenure + [Self.expansion]
        ).up()
        let columns = try await fixture.number(
            """
            SELECT count(*) FROM information_schema.columns
            WHERE table_schema = 'tenure' AND table_name = 'job' AND column_name = 'extra'
            """)
        #expect(columns == 1)
        await cutOff.close()
    }
}
