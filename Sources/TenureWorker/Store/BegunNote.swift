package import Tenure

/// Which runs of a queue have begun or are about to. Runs that are over may still be in it.
package struct BegunNote: Sendable {
    package let session: SessionID
    package let queue: QueueName
    /// Larger than that of every earlier note.
    package let number: Int64
    /// The oldest note that may still be there.
    package let since: Int64
    package let fences: [ClosedRange<Int64>]

    package init(
        session: SessionID, queue: QueueName, number: Int64, since: Int64,
        fences: [ClosedRange<Int64>]
    ) {
        self.session = session
        self.queue = queue
        self.number = number
        self.since = since
        self.fences = fences
    }

    package func contains(_ fence: Int64) -> Bool { fences.contains { $0.contains(fence) } }
}
