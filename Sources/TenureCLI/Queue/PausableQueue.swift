import Tenure

struct PausableQueue: Pausable {
    static let noun = "queue"
    static let pausing: Help = (
        "Start no more jobs of a queue.",
        """
        Jobs that run go on. Lasts until it is resumed, over all restarts.

        Example:
          tenure queue pause mail --reason "their server moves"
        """
    )
    static let resuming: Help = (
        "Let a paused queue go on.",
        """
        Ends with 1 when it was not paused.

        Example:
          tenure queue resume mail
        """
    )

    static func pause(
        _ name: String, by whom: String, because reason: String?, _ database: Database
    ) async throws -> String {
        let isKnown = try await database.inspector.queue(QueueName(name), countingTo: 1) != nil
        try await Operator(client: database.client, as: whom, because: reason)
            .pause(QueueName(name))
        return note(isKnown: isKnown)
    }

    static func resume(
        _ name: String, by whom: String, _ database: Database
    ) async throws -> Bool {
        try await Operator(client: database.client, as: whom).resume(QueueName(name))
    }
}
