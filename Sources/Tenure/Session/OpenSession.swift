import TenureFoundation
import TenurePostgres

/// Opens a session: from here on it must beat.
struct OpenSession: PostgresStatement {
    static let sql = "SELECT tenure.open_session($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    let profile: SessionProfile

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(profile.role)
        try parameters.append(profile.name)
        try parameters.append(profile.version)
        try parameters.append(profile.lease.length)
        try parameters.append(profile.queues.map(\.rawValue))
        try parameters.append(profile.kinds.map(\.rawValue))
        try parameters.append(Date())  // for the doctor, who compares machines
        try parameters.append(PostgresJSON(try profile.secretsJSON))
        try parameters.append(profile.saysBegun)
        try parameters.append(profile.versions)
        try parameters.append(PostgresJSON(try profile.lettersJSON))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> SessionID {
        SessionID(try row.decode(0, as: Int64.self))
    }
}

/// Ends a session by its own will; answers whether it was still alive.
struct CloseSession: PostgresStatement {
    static let sql = "SELECT tenure.close_session($1)"
    let session: SessionID

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session.rawValue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool {
        try row.decode(0, as: Bool.self)
    }
}

/// Who a session is, for people and for the lease it takes.
package struct SessionProfile: Sendable {
    package var role: String
    package var name: String
    package var version: String
    package var lease: LeaseRule
    package var queues: [QueueName]
    package var kinds: [JobKind]
    /// The newest payload version that it reads of each of its kinds; empty: it doesn't say.
    package var versions: [Int16]
    /// What of their payloads is not to be shown; of those that have such fields.
    package var secretFields: [JobKind: SecretFields]
    /// Where the letters of kinds go that have an address.
    package var letters: [JobKind: LetterAddress]
    /// Notes its runs before they begin; else all count as begun that it has claimed.
    package var saysBegun: Bool

    package init(
        role: String, name: String, version: String, lease: LeaseRule,
        queues: [QueueName] = [], kinds: [JobKind] = [], versions: [Int16] = [],
        secretFields: [JobKind: SecretFields] = [:],
        letters: [JobKind: LetterAddress] = [:], saysBegun: Bool = false
    ) {
        self.role = role
        self.name = name
        self.version = version
        self.lease = lease
        self.queues = queues
        self.kinds = kinds
        self.versions = versions
        self.secretFields = secretFields
        self.letters = letters
        self.saysBegun = saysBegun
    }

    fileprivate var secretsJSON: String {
        get throws {
            try Self.json(secretFields.map { ($0.key.rawValue, $0.value.fields) })
        }
    }

    fileprivate var lettersJSON: String {
        get throws { try Self.json(letters.map { ($0.key.rawValue, $0.value.declaration) }) }
    }

    private static func json(_ named: [(String, some Encodable)]) throws -> String {
        let data = try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: named))
        return String(decoding: data, as: UTF8.self)
    }
}
