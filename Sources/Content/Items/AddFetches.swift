import HTTPTransport
import Tenure
import TenureFoundation
import Web

/// Forgets the oldest fetches of items, so that there are a hundred of each with the next one.
struct DropOldFetches: PostgresStatement {
    static let sql = """
        DELETE FROM content.fetch_run f WHERE f.id = ANY (ARRAY(
            SELECT o.id FROM unnest($1::uuid[]) AS u (item)
            CROSS JOIN LATERAL (
                SELECT o.id FROM content.fetch_run o WHERE o.item = u.item
                ORDER BY o.asked_at DESC OFFSET 99) AS o))
        """
    let items: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(items) }
}

/// Writes what runs of fetches came to.
struct AddFetches: PostgresStatement {
    static let sql = """
        INSERT INTO content.fetch_run (
            id, item, job, run, asked_at, is_charged, mode, outcome, code, class, status, detail,
            final_url, dns, connect, tls, first_byte, total, wire_bytes, bytes, hops)
        SELECT n.* FROM unnest(
            $1::uuid[], $2::uuid[], $3::uuid[], $4::int4[], $5::timestamptz[], $6::bool[],
            $7::text[], $8::text[], $9::text[], $10::text[], $11::int4[], $12::text[],
            $13::text[], $14::interval[], $15::interval[], $16::interval[], $17::interval[],
            $18::interval[], $19::int8[], $20::int8[], $21::jsonb[]) AS n
        """
    let rows: [Entry]

    struct Entry: Sendable {
        let item: UUID
        let record: FetchRecord
        let result: FetchResult
        /// It counts as an attempt of its job.
        var isCharged = true
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        let timings = rows.map(\.record.hops.timings)
        let progress = rows.map { $0.record.hops.last?.figures?.progress }
        try parameters.append(rows.map(\.record.id))
        try parameters.append(rows.map(\.item))
        try parameters.append(rows.map(\.record.job))
        try parameters.append(rows.map { Int32(clamping: $0.record.run) })
        try parameters.append(rows.map(\.record.askedAt))
        try parameters.append(rows.map(\.isCharged))
        try parameters.append(rows.map(\.record.mode))
        try parameters.append(rows.map(\.result.outcome.rawValue))
        try parameters.append(rows.map(\.result.code))
        try parameters.append(rows.map { $0.result.failure?.rawValue })
        try parameters.append(rows.map { $0.result.status.map { Int32(clamping: $0) } })
        try parameters.append(
            rows.map { row in row.record.detail.map { URLRedaction.text($0).storable } })
        try parameters.append(
            rows.map { row in
                row.record.hops.finalURL.map { URLRedaction.text($0.href).storable }
            })
        try parameters.append(timings.map { $0?.dns })
        try parameters.append(timings.map { $0?.connect })
        try parameters.append(timings.map { $0?.tls })
        try parameters.append(timings.map { $0?.firstByte })
        try parameters.append(timings.map { $0?.total })
        try parameters.append(progress.map { $0.map { Int64($0.wireBytes) } })
        try parameters.append(progress.map { $0.map { Int64($0.decodedBytes) } })
        try parameters.append(rows.map { PostgresJSON(try $0.record.hops.json()) })
    }
}

/// One run of a fetch: who asked, when, and what was asked.
struct FetchRecord: Sendable {
    let id = UUID()
    let job: UUID
    let run: Int
    let mode: String
    /// By the database's clock, before the first request.
    let askedAt: Date
    var hops: Hops
    var detail: String?
}
