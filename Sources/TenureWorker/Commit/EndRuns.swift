import Tenure
import TenureFoundation
import TenurePostgres

/// Ends runs, each on its own merits, keys and all. Waits for no lock.
struct EndRuns: PostgresStatement {
    static let sql = """
        SELECT e.id, e.fence, e.became, e.awaited FROM tenure.end_runs(array(
            SELECT (r.id, r.fence, r.wanted, r.delay, r.result::jsonb, r.reason, r.error_code,
                    r.error_message, r.hold_version, r.also::jsonb)::tenure.ending
            FROM unnest($1::uuid[], $2::int8[], $3::text[], $4::interval[], $5::text[],
                        $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
                AS r (id, fence, wanted, delay, result, reason, error_code, error_message,
                      hold_version, also)
        ), false) AS e
        """
    let endings: [RunEnding]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(endings.map(\.run.job.uuid))
        try parameters.append(endings.map(\.run.fence.rawValue))
        try parameters.append(endings.map(\.wanted.rawValue))
        try parameters.append(endings.map(\.delay))
        try parameters.append(endings.map(\.result))
        try parameters.append(endings.map(\.reason))
        try parameters.append(endings.map(\.errorCode))
        try parameters.append(endings.map(\.errorMessage))
        try parameters.append(endings.map(\.holdVersion))
        try parameters.append(endings.map { EndExtras.json($0.also) })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (
        run: RunRef, answer: EndAnswer, isAwaited: Bool
    ) {
        (
            RunRef(
                job: JobID(try row.decode(0, as: UUID.self)), fence: Fence(try row.decode(1))),
            EndAnswer(text: try row.decode(2)), try row.decode(3, as: Bool?.self) ?? false
        )
    }
}
