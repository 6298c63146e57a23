import Tenure
import TestSupport
import Testing

/// Each statement that writes history names its columns: a row of the table's own shape would fail
/// as soon as a migration has added one (docs/decisions/repeatable-functions.md). So a column that
/// jobs and history share has to be in each of these lists.
@Suite struct HistoryColumnTests {
    /// The places, and what they leave out.
    private static let places: [String: Set<String>] = [
        "end/apply_decisions.sql": [],
        "enqueue/enqueue_series.sql": ["fence", "session_id", "claimed_at"],  // no row, no run
        "finish/complete_run.sql": ["batch_id"],  // jobs of batches go the long way
        "finish/complete_group.sql": ["generation", "key"],  // no job of a key
        "finish/remove_folded.sql": ["batch_id", "generation", "key", "lane"],  // plain jobs
        "shared/move_pending.sql": ["fence", "session_id", "claimed_at"],  // no run
    ]

    @Test func `whatever jobs and history share is moved with each job that ends`() async throws {
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(
                try await TestPostgres.shared().makeMigratedDatabase()), size: 1)
        let shared = try await pool.query(
            """
            SELECT a.attname::text FROM pg_attribute a JOIN pg_attribute h USING (attname)
            WHERE a.attrelid = 'tenure.job'::regclass AND a.attnum > 0
              AND h.attrelid = 'tenure.job_history'::regclass
              AND NOT a.attisdropped AND NOT h.attisdropped
            """
        ) { try $0.decode(0, as: String.self) }
        await pool.close()
        var places = Self.places
        for file in MigrationSet.tenure.functions {
            for list in file.sql.matches(of: #/INSERT INTO tenure\.job_history \(([^)]+)\)/#) {
                let names = list.1.split(separator: ",").map {
                    String($0.filter { !$0.isWhitespace })
                }
                let left = Set(shared).subtracting(names)
                #expect(left == places.removeValue(forKey: file.name), "\(file.name)")
            }
        }
        #expect(places.isEmpty, "\(places.keys) write no history any more")
    }
}
