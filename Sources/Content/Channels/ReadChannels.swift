import Tenure
import TenureFoundation

/// The channels, by name, with what hasn't arrived.
struct ListChannels: PostgresStatement {
    static let sql = """
        SELECT c.name, c.kind, c.address, c.secret, c.added_at, c.added_by, c.paused_at,
               c.paused_why, u.count, f.failed_at, f.error, d.sent_at,
               c.recipient, c.sender, c.login
        FROM content.channel c
        CROSS JOIN LATERAL (
            SELECT count(*) AS count FROM content.delivery d
            WHERE d.channel = c.name AND d.sent_at IS NULL) AS u
        LEFT JOIN LATERAL (
            SELECT d.failed_at, d.error FROM content.delivery d
            WHERE d.channel = c.name AND d.sent_at IS NULL AND d.failed_at IS NOT NULL
            ORDER BY d.failed_at DESC LIMIT 1) AS f ON true
        CROSS JOIN LATERAL (
            SELECT max(d.sent_at) AS sent_at FROM content.delivery d
            WHERE d.channel = c.name) AS d
        ORDER BY c.name
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Channel {
        let secret = try row.decode(3, as: String?.self)
        return Channel(
            name: try row.decode(0), kind: Channel.Kind(rawValue: try row.decode(1)),
            address: try row.decode(2), secret: secret.flatMap { SecretReference(stored: $0) },
            recipient: try row.decode(12), sender: try row.decode(13), user: try row.decode(14),
            addedAt: try row.decode(4), addedBy: try row.decode(5), pausedAt: try row.decode(6),
            pausedWhy: try row.decode(7), unsent: try row.total(8), failedAt: try row.decode(9),
            error: try row.decode(10), sentAt: try row.decode(11))
    }
}

/// What is to be sent, and where.
struct ReadDelivery: PostgresStatement {
    static let sql = """
        SELECT c.kind, c.address, c.secret, c.paused_at IS NOT NULL, d.sent_at IS NOT NULL, n.body,
               c.recipient, c.sender, c.login, c.is_plain
        FROM content.delivery d
        JOIN content.channel c ON c.name = d.channel
        JOIN content.notice n ON n.id = d.notice
        WHERE d.notice = $1 AND d.channel = $2
        """
    let notice: UUID
    let channel: String

    struct Row: Sendable {
        let kind: Channel.Kind
        let address: String
        /// As the table has it: what is none is refused when it is used.
        let secret: String?
        let isPaused: Bool
        let isSent: Bool
        let body: [UInt8]
        let recipient: String?
        let sender: String?
        let user: String?
        let isPlain: Bool

        /// - Throws: `ContentError` with `.badOption` for what is none.
        func route() throws -> MailRoute {
            try MailRoute(
                to: try MailAddress(recipient ?? ""), from: try MailAddress(sender ?? ""),
                by: address, user: user, isPlain: isPlain)
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(notice)
        try parameters.append(channel)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            kind: try row.decode(0, known: Channel.Kind.self), address: try row.decode(1),
            secret: try row.decode(2), isPaused: try row.decode(3), isSent: try row.decode(4),
            body: try row.decode(5, as: PostgresJSON.self).bytes, recipient: try row.decode(6),
            sender: try row.decode(7), user: try row.decode(8), isPlain: try row.decode(9))
    }
}

/// What a channel was to get and didn't, by its id.
struct ListUnsent: PostgresStatement {
    static let sql = """
        SELECT d.notice, d.queue FROM content.delivery d
        WHERE d.channel = $1 AND d.sent_at IS NULL AND d.notice > $2
        ORDER BY d.notice LIMIT $3
        """
    let channel: String
    /// Only those behind this one, and so many at most.
    let last: UUID
    let limit: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(channel)
        try parameters.append(last)
        try parameters.append(Int64(limit))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (UUID, QueueName) {
        (try row.decode(0), QueueName(try row.decode(1, as: String.self)))
    }
}

/// Whether a channel is paused; it stays so until the transaction ends.
struct HoldPause: PostgresStatement {
    static let sql = """
        SELECT c.paused_at IS NOT NULL FROM content.channel c WHERE c.name = $1 FOR SHARE
        """
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(channel) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Whether a delivery has arrived, and what kept it.
struct ReadDeliveryState: PostgresStatement {
    static let sql = """
        SELECT d.sent_at IS NOT NULL, d.error FROM content.delivery d
        WHERE d.notice = $1 AND d.channel = $2
        """
    let notice: UUID
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(notice)
        try parameters.append(channel)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (isSent: Bool, error: String?) {
        (isSent: try row.decode(0), error: try row.decode(1))
    }
}
