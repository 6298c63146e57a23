import Tenure
import TenurePostgres

/// `tenure.finish` for another driver: text parameters only.
enum ForeignFinish {
    static func statement(
        _ outcome: JobOutcome, run: RunInfo, schema: PostgresConfiguration
    ) throws -> (sql: String, parameters: [String?]) {
        var result: String?
        var reason: String?
        var delay: String?
        switch outcome.way {
        case .completed(let json): result = json
        case .snoozed(let pause): delay = RunEnding.bounded(pause).postgresInterval
        case .discarded(let why): reason = why
        case .committed, .moved: break
        }
        let sql = """
            SELECT f.ordinal::text FROM tenure.finish(($1::text)::uuid, ($2::text)::int8, $3::text,
                ($4::text)::jsonb, NULL, $5::text, ($6::text)::interval, ($7::text)::jsonb) AS f
            """
        return (
            try schema.qualified(sql),
            [
                "\(run.job)", "\(run.fence)", try outcome.wanted().rawValue, result, reason, delay,
                try LaneChange.json(of: outcome, queue: run.queue),
            ]
        )
    }
}
