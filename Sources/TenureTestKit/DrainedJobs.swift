public import Tenure

/// What a drain has run, in order, and what was due and stayed behind.
public struct DrainedJobs: RandomAccessCollection, Sendable {
    /// Jobs that nothing but a rule kept from being run.
    public struct Waiting: Sendable, CustomStringConvertible {
        /// One of them.
        public let job: JobID
        public let kind: JobKind
        public let queue: QueueName
        /// How many there are.
        public internal(set) var count: Int
        /// What keeps them, in one line: `lane host:a is on hold by ops: 429`.
        public let reason: String

        public var description: String {
            "\(count) \(count == 1 ? "job" : "jobs") of kind \(kind) in queue \(queue): \(reason)"
        }
    }

    public let runs: [RunReport]
    /// In the order of their ids, the same kind, queue and reason together. What has failed or was
    /// put off, and is to come later, is none of them.
    public let waiting: [Waiting]

    public var startIndex: Int { runs.startIndex }
    public var endIndex: Int { runs.endIndex }
    public subscript(index: Int) -> RunReport { runs[index] }
}

extension DrainedJobs: CustomStringConvertible {
    /// The number of runs, and a line for what waits: a test that expected more shows it.
    public var description: String {
        let ran = runs.map { "\($0.kind): \($0.became.map { "\($0)" } ?? "late")" }
        let first = "\(runs.count) \(runs.count == 1 ? "run" : "runs"): \(ran)"
        return ([first] + waiting.map { "waits: \($0)" }).joined(separator: "\n")
    }
}
