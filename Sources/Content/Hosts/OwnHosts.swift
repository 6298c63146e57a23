import Tenure

/// Makes a host the operator's own.
struct OwnHost: PostgresStatement {
    static let sql = """
        INSERT INTO content.own_host (host, set_by) VALUES ($1, $2) ON CONFLICT DO NOTHING
        RETURNING true
        """
    let host: String
    let whom: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(host)
        try parameters.append(whom: whom)
    }
}

/// Makes it foreign again.
struct DisownHost: PostgresStatement {
    static let sql = "DELETE FROM content.own_host WHERE host = $1 RETURNING true"
    let host: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(host) }
}

struct ListOwnHosts: PostgresStatement {
    static let sql = "SELECT o.host FROM content.own_host o ORDER BY o.host"

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// Which of some hosts are the operator's own.
struct FindOwnHosts: PostgresStatement {
    static let sql = """
        SELECT h.host FROM unnest($1::text[]) AS h (host)
        WHERE EXISTS (SELECT FROM content.find_own_host(h.host))
        """
    let hosts: Set<String>

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(hosts.sorted())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// Takes back what a host itself asked for, on whichever port.
struct ReleaseHost: PostgresStatement {
    static let sql = """
        UPDATE content.host h SET hold_until = NULL
        WHERE h.hold_until > clock_timestamp()
          AND (h.origin IN ('http://' || $1, 'https://' || $1)
            OR starts_with(h.origin, 'http://' || $1 || ':')
            OR starts_with(h.origin, 'https://' || $1 || ':'))
        RETURNING true
        """
    let host: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(host) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}
