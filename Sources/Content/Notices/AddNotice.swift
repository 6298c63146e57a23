import Tenure
import TenureFoundation

/// Keeps a notice.
struct AddNotice: PostgresStatement {
    static let sql = """
        INSERT INTO content.notice (id, site, check_id, body) VALUES ($1, $2, $3, $4)
        """
    let id: UUID
    let site: UUID?
    let check: UUID?
    let body: [UInt8]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(id)
        try parameters.append(site)
        try parameters.append(check)
        try parameters.append(PostgresJSON(bytes: body))
    }
}

/// To which of these channels it goes: those that are there.
struct AddDeliveries: PostgresStatement {
    static let sql = """
        INSERT INTO content.delivery (notice, channel, queue)
        SELECT $1, c.name, $3 FROM content.channel c WHERE c.name = ANY ($2) ORDER BY c.name
        RETURNING channel
        """
    let notice: UUID
    let channels: [String]
    let queue: QueueName

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(notice)
        try parameters.append(channels)
        try parameters.append(queue.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
