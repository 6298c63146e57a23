import TenurePostgres

/// `tenure.enqueue_jobs` and its wake-ups for another driver: text parameters and columns only.
enum ForeignEnqueue {
    static func statement(
        _ jobs: [NewJob], schema: PostgresConfiguration
    ) throws -> (sql: String, parameters: [String?]) {
        let sql = """
            SELECT e.id::text, e.generation::text, e.result
            FROM tenure.enqueue_jobs(($1::text)::jsonb) AS e
            ORDER BY e.ordinal
            """
        return (try schema.qualified(sql), [JobsJSON.encode(jobs)])
    }

    static func notification(_ wakeup: Wakeup) -> (sql: String, parameters: [String?]) {
        ("SELECT pg_notify($1::text, $2::text)::text", [wakeup.channel, wakeup.payload])
    }
}

extension EnqueuedJob {
    /// A row as text, from another driver.
    init(columns: [String?]) throws {
        guard columns.count == 3, let id = columns[0].flatMap({ JobID($0) }),
            let result = columns[2].flatMap({ Result(rawValue: $0) })
        else {
            throw TenureError(
                .schemaMismatch,
                "an SQLExecutor returned \(columns) for an enqueue; expected the columns id, "
                    + "generation and result as text")
        }
        self.init(
            id: id, generation: columns[1].flatMap { Int64($0) }.map { Generation($0) },
            result: result)
    }
}
