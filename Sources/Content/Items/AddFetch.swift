import FoundationEssentials
import HTTPTransport
import Tenure
import Web

/// Forgets the oldest fetches of an item, so that there are a hundred with the next one.
struct DropOldFetches: PostgresStatement {
    static let sql = """
        DELETE FROM content.fetch_run f USING (
            SELECT o.id FROM content.fetch_run o WHERE o.item = $1
            ORDER BY o.asked_at DESC OFFSET 99
        ) AS o
        WHERE f.id = o.id
        """
    let item: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(item) }
}

/// Writes what one run of a fetch came to.
struct AddFetch: PostgresStatement {
    static let sql = """
        INSERT INTO content.fetch_run (
            id, item, job, run, asked_at, is_charged, mode, outcome, code, class, status, detail,
            final_url, dns, connect, tls, first_byte, total, wire_bytes, bytes, hops)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                $16, $17, $18, $19, $20, $21)
        """
    let item: UUID
    let record: FetchRecord
    let result: FetchResult
    /// It counts as an attempt of its job.
    var isCharged = true

    func bind(_ parameters: inout PostgresParameters) throws {
        let timings = record.hops.timings
        let progress = record.hops.last?.figures?.progress
        try parameters.append(record.id)
        try parameters.append(item)
        try parameters.append(record.job)
        try parameters.append(clamping: record.run)
        try parameters.append(record.askedAt)
        try parameters.append(isCharged)
        try parameters.append(record.mode)
        try parameters.append(result.outcome.rawValue)
        try parameters.append(result.code)
        try parameters.append(result.failure?.rawValue)
        try parameters.append(clamping: result.status)
        try parameters.append(record.detail.map { URLRedaction.text($0).storable })
        try parameters.append(
            record.hops.finalURL.map { URLRedaction.text($0.href).storable })
        try parameters.append(timings?.dns)
        try parameters.append(timings?.connect)
        try parameters.append(timings?.tls)
        try parameters.append(timings?.firstByte)
        try parameters.append(timings?.total)
        try parameters.append(progress.map { Int64($0.wireBytes) })
        try parameters.append(progress.map { Int64($0.decodedBytes) })
        try parameters.append(PostgresJSON(try record.hops.json()))
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
