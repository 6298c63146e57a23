import Tenure
import TenureFoundation

/// The versions of an item's content, the newest first.
struct ListVersions: PostgresStatement {
    static let sql = """
        SELECT v.number, v.made_at, v.made_by, v.fetch_id, v.changed, v.words,
               encode(v.hash, 'hex'), encode(v.body, 'hex'), v.fields #>> '{title,value}'
        FROM content.version v WHERE v.item = $1 AND v.number < coalesce($3::int4, 2147483647)
        ORDER BY v.number DESC LIMIT $2
        """
    let item: UUID
    let limit: Int
    /// Only those before it.
    var before: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(JobLimits.rows(limit))
        try parameters.append(before.map { Int32(clamping: $0) })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ItemVersion {
        ItemVersion(
            number: try row.count(0), madeAt: try row.decode(1),
            madeBy: try row.decode(2), fetch: try row.decode(3), changed: try row.decode(4),
            words: try row.count(5), hash: try row.decode(6),
            body: try row.decode(7), title: try row.decode(8))
    }
}

/// The runs of an item's fetches, the newest first.
struct ListFetches: PostgresStatement {
    static let sql = """
        SELECT f.id, f.job, f.run, f.asked_at, f.ended_at, f.mode, f.outcome, f.code, f.class,
               f.status, f.detail, f.final_url, f.is_charged, f.dns, f.connect, f.tls,
               f.first_byte, f.total, f.wire_bytes, f.bytes
        FROM content.fetch_run f WHERE f.item = $1 ORDER BY f.asked_at DESC LIMIT $2
        """
    let item: UUID
    let limit: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(JobLimits.rows(limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ItemFetchRecord {
        func seconds(_ column: Int) throws -> Double? {
            try row.decode(column, as: Duration?.self).map { $0 / .seconds(1) }
        }
        return ItemFetchRecord(
            id: try row.decode(0), job: try row.decode(1),
            run: try row.count(2), askedAt: try row.decode(3),
            endedAt: try row.decode(4), mode: try row.decode(5),
            outcome: try row.decode(6, known: FetchOutcome.self),
            code: try row.decode(7),
            failure: try row.decode(8, as: String?.self).flatMap(FailureClass.init),
            status: try row.number(9), detail: try row.decode(10),
            finalURL: try row.decode(11), isCharged: try row.decode(12), dns: try seconds(13),
            connect: try seconds(14), tls: try seconds(15), firstByte: try seconds(16),
            total: try seconds(17), wireBytes: try row.decode(18, as: Int64?.self).map(Int.init),
            bytes: try row.decode(19, as: Int64?.self).map(Int.init))
    }
}
