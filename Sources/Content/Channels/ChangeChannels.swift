import Tenure
import TenureFoundation

/// Adds a channel; no row where there is one of its name.
struct AddChannel: PostgresStatement {
    static let sql = """
        INSERT INTO content.channel
            (name, kind, address, secret, added_by, recipient, sender, login, is_plain)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT DO NOTHING
        RETURNING true
        """
    let channel: NewChannel
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(channel.name)
        try parameters.append(channel.kind.rawValue)
        try parameters.append(channel.address)
        try parameters.append(channel.secret?.description)
        try parameters.append(whom: whom)
        try parameters.append(channel.route?.recipient.description)
        try parameters.append(channel.route?.sender.description)
        try parameters.append(channel.route?.user)
        try parameters.append(channel.route?.isPlain ?? false)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Removes a channel.
struct RemoveChannel: PostgresStatement {
    static let sql = "DELETE FROM content.channel WHERE name = $1 RETURNING true"
    let name: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(name) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// What was to be sent there, and where it was: that is nobody's any more.
struct ForgetDeliveries: PostgresStatement {
    static let sql = "DELETE FROM content.delivery WHERE channel = $1"
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(channel) }
}

/// Takes a channel from all sites that told it. Returns their URLs.
struct LeaveChannel: PostgresStatement {
    static let sql = """
        UPDATE content.site SET channels = array_remove(channels, $1)
        WHERE $1 = ANY (channels) RETURNING url
        """
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(channel) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// Sends nothing there any more, until somebody resumes it.
struct PauseChannel: PostgresStatement {
    static let sql = """
        UPDATE content.channel
        SET paused_at = coalesce(paused_at, content.now()), paused_why = $2 WHERE name = $1
        """
    let name: String
    let why: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(name)
        try parameters.append(why)
    }
}

/// Whether it was paused; no row where there is none of that name.
struct ResumeChannel: PostgresStatement {
    static let sql = """
        WITH was AS MATERIALIZED (
            SELECT c.name, c.paused_at IS NOT NULL AS paused FROM content.channel c
            WHERE c.name = $1 FOR NO KEY UPDATE
        ), changed AS (
            UPDATE content.channel c SET paused_at = NULL, paused_why = NULL
            FROM was w WHERE c.name = w.name AND w.paused
        )
        SELECT w.paused FROM was w
        """
    let name: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(name) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

/// Notes that a notice has arrived.
struct NoteSent: PostgresStatement {
    static let sql = """
        UPDATE content.delivery SET sent_at = content.now(), error = NULL
        WHERE notice = $1 AND channel = $2
        """
    let notice: UUID
    let channel: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(notice)
        try parameters.append(channel)
    }
}

/// Notes that a notice didn't arrive, and why.
struct NoteUnsent: PostgresStatement {
    static let sql = """
        UPDATE content.delivery
        SET failed_at = content.now(), failures = failures + 1, error = $3
        WHERE notice = $1 AND channel = $2
        """
    let notice: UUID
    let channel: String
    let error: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(notice)
        try parameters.append(channel)
        try parameters.append(error.storable)
    }
}
