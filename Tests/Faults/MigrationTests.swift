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
            -- Serves from: \(MigrationSet.tenure.migrations.last?.name ?? "")
            ALTER TABLE tenure.job ADD COLUMN extra text;
            """)

    private static var expanded: MigrationSet {
        var set = MigrationSet.tenure
        set.migrations.append(expansion)
        return set
    }

    @Test func `no table is held by a migrator that the network has swallowed`() async throws {
        let fixture = try await FaultFixture()
        let proxy = try DatabaseProxy(to: fixture.postgres.socketFile)
        let cutOff = try fixture.pool(behind: proxy, size: 1)
        proxy.change { $0.strandsServer = true }
        proxy.arm(.before)
        let migrator = Migrator(pool: cutOff, Self.expanded)
        do {
            try await migrator.up()
        } catch let error as PostgresError {
            #expect(proxy.cutAt != nil, "\(error)")
        }
        // The server has not heard that the client is gone, and what it holds it holds on.
        try await fixture.pool.query(
            "SELECT count(*) FROM tenure.job", deadline: .seconds(5))
        try await Migrator(pool: fixture.pool, Self.expanded).up()
        let columns = try await fixture.number(
            """
            SELECT count(*) FROM information_schema.columns
            WHERE table_schema = 'tenure' AND table_name = 'job' AND column_name = 'extra'
            """)
        #expect(columns == 1)
        await cutOff.close()
    }
}
