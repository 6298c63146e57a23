/// From where somebody has acted.
public enum ActionSource: String, Sendable, Codable, CaseIterable {
    /// A command of `tenure`.
    case cli
    /// A program, by this library.
    case library
    /// A browser, or whoever asks the console.
    case console
    /// A call of a SQL function, by any other client.
    case sql
}
