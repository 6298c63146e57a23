import Tenure
import TenurePostgres

/// `tenure.finish` for another driver: text parameters only.
enum ForeignFinish {
    static func statement(
        _ outcome: JobOutcome, run: RunInfo, schema: PostgresConfiguration
    ) throws -> (sql: String, parameters: [String?]) {
        let sql = """
            SELECT f.ordinal::text FROM tenure.finish(($1::text)::uuid, ($2::text)::int8, $3::text,
                ($4::text)::jsonb, NULL, $5::text, ($6::text)::interval, ($7::text)::jsonb) AS f
            """
        return (
            try schema.qualified(sql),
            [
                "\(run.job)", "\(run.fence)", try outcome.wanted().rawValue, outcome.result,
                outcome.reason, outcome.delay?.postgresInterval,
                try EndExtras.json(of: outcome, queue: run.queue),
            ]
        )
    }
}
