import Tenure
import TenureFoundation
import TenurePostgres

/// Lets jobs go that waited for others, or cancels them; a row for each, and for what is left. Its
/// commit waits for no disk, unless somebody was cancelled: what a crash takes back is done again.
struct SettleEnds: PostgresStatement {
    static let sql = """
        SELECT s.id, s.became, s.queue, s.batch_id
        FROM (SELECT set_config('synchronous_commit', 'off', true) OFFSET 0) AS quick
        CROSS JOIN LATERAL tenure.settle_ends($1, $2) AS s
        """
    /// Those that have ended; nil: whoever has.
    let jobs: [JobID]?
    /// So many waiters are looked at, and let go in one transaction.
    let atMost: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs?.map(\.uuid))
        try parameters.append(Int32(atMost))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> SettledWaiter {
        let queue = try row.decode(2, as: String?.self).map { QueueName($0) }
        let batch = try row.decode(3, as: UUID?.self)
        let word = try row.decode(1, as: String.self)
        switch SettledWaiter.Word(rawValue: word) {
        case .released: return .released(JobID(try row.decode(0)), queue: queue ?? .default)
        case .cancelled: return .cancelled(JobID(try row.decode(0)), batch: batch)
        case .more: return .more
        case .later: return .later
        case nil:
            throw TenureError(
                .schemaMismatch, "the database answered \"\(word)\" of a job that waits")
        }
    }
}
