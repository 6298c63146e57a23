import Tenure

struct PausableKind: Pausable {
    static let noun = "kind"
    static let pausing: Help = (
        "Start no more jobs of a kind, in any queue.",
        """
        Jobs that run go on; the others wait in their order. Lasts until it is resumed, over all \
        restarts. A coordinator pauses a kind by itself when its runs end with their process: see \
        tenure coordinator --help.

        Example:
          tenure kind pause report --reason "the renderer leaks"
        """
    )
    static let resuming: Help = (
        "Let a paused kind go on.",
        """
        Whether an operator or the breaker paused it; the breaker counts anew. Ends with 1 when it \
        was not paused.

        Example:
          tenure kind resume report
        """
    )

    static func pause(
        _ name: String, by whom: String, because reason: String?, _ database: Database
    ) async throws -> String {
        let isKnown = try await database.inspector.kinds().contains { $0.kind.rawValue == name }
        try await Operator(client: database.client, as: whom)
            .pause(kind: JobKind(name), because: reason)
        return note(isKnown: isKnown)
    }

    static func resume(
        _ name: String, by whom: String, _ database: Database
    ) async throws -> Bool {
        try await Operator(client: database.client, as: whom).resume(kind: JobKind(name))
    }
}
