import Tenure

func openDatabase(_ url: String) async throws -> PostgresPool {
    let pool = PostgresPool(configuration: try PostgresConfiguration(url))
    try await Migrator(pool: pool).up()  // once a release; `tenure migrate up` does the same
    return pool
}
