/// What can be paused and goes on.
protocol Pausable {
    /// As JSON calls it, too.
    static var noun: String { get }
    /// What `pause` and `resume` say of themselves.
    static var pausing: Help { get }
    static var resuming: Help { get }

    typealias Help = (abstract: String, discussion: String)

    /// - Returns: what people should know of it besides.
    static func pause(
        _ name: String, by whom: String, because reason: String?, _ database: Database
    ) async throws -> String
    /// - Returns: whether it was paused.
    static func resume(_ name: String, by whom: String, _ database: Database) async throws -> Bool
}

extension Pausable {
    /// For what may be paused before anything names it.
    static func note(isKnown: Bool) -> String {
        isKnown ? "" : "; no job and no worker names it so far"
    }
}
