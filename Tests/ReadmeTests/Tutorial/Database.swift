import Tenure

/// Tenure's tables, and the program's own. Once a release.
func migrate(_ pool: PostgresPool) async throws {
    try await Migrator(pool: pool).up()  // `tenure migrate up` does the same
    try await makeTables(pool)
}

func makeTables(_ pool: PostgresPool) async throws {
    try await pool.simple(
        """
        CREATE TABLE IF NOT EXISTS picture (
            id bigint PRIMARY KEY, file text NOT NULL, thumbnail text)
        """)
}
