import Tenure
import TenureFoundation
import Web

/// Adds a site; no row where it is watched already.
struct AddSite: PostgresStatement {
    static let sql = """
        INSERT INTO content.site (
            id, url, spread, tells_changes, added_by, channels, options, prefix, refetches,
            discovers, shortest, longest)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT DO NOTHING
        RETURNING true
        """
    let id: UUID
    let url: WebURL
    let spread: Duration
    let tellsChanges: Bool
    let whom: String
    let channels: [String]
    let options: SiteCheckOptions
    let refetch: SiteRefetch?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(id)
        try parameters.append(url.href)
        try parameters.append(spread)
        try parameters.append(tellsChanges)
        try parameters.append(whom: whom)
        try parameters.append(channels)
        try parameters.append(PostgresJSON(bytes: Array(JSONEncoder().encode(options))))
        try parameters.append(Scope(start: url).insidePrefix)
        try parameters.append(refetch != nil)
        try parameters.append(refetch?.discovers ?? false)
        try parameters.append(refetch?.bounds.shortest)
        try parameters.append(refetch?.bounds.longest)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Which of these channels are there: they stay until the transaction ends.
struct HoldChannels: PostgresStatement {
    static let sql = """
        SELECT c.name FROM content.channel c WHERE c.name = ANY ($1) ORDER BY c.name FOR KEY SHARE
        """
    let names: [String]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(names) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
