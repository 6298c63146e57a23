/// What an enqueue came to: the job that stands for it now.
public struct EnqueuedJob: Sendable {
    /// A new job, or the key's unfinished one, by what the key's mode says.
    public let id: JobID
    public let generation: Generation?
    public let result: Result

    package init(id: JobID, generation: Generation?, result: Result) {
        self.id = id
        self.generation = generation
        self.result = result
    }

    public enum Result: String, Sendable, Codable {
        /// A new job was added.
        case enqueued
        /// The key's pending job took this one's content (and run time).
        case updated
        /// The key's unfinished job stays as it is.
        case kept
    }
}

extension EnqueuedJob: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(["id": id, "generation": generation?.rawValue, "result": result])
    }
}
