/// How far a transaction is kept apart from others.
public enum PostgresIsolation: String, Sendable {
    case readCommitted = "READ COMMITTED"
    case repeatableRead = "REPEATABLE READ"
    case serializable = "SERIALIZABLE"

    /// From the server's settings. READ UNCOMMITTED is READ COMMITTED there.
    init(setting: String) {
        self = PostgresIsolation(rawValue: setting.uppercased()) ?? .readCommitted
    }
}
