public import TenureFoundation
import TenurePostgres

/// Which jobs to list. What is nil or empty is not asked about.
public struct JobFilter: Sendable {
    /// States and outcomes by their names; empty: every unfinished state.
    public var states: Set<JobStatus> = []
    /// Only those whose time to run has come (`true`), or is yet to come (`false`), by the
    /// database's clock; without ``states`` only such as wait for nothing else: those that are
    /// scheduled, available or retryable.
    public var isDue: Bool?
    public var kind: JobKind?
    public var queue: QueueName?
    public var key: String?
    /// The batch that they belong to.
    public var batch: UUID?
    /// Only those that were made longer ago than this, by the database's clock.
    public var olderThan: Duration?
    /// Only those with this text, in any case, in an attempt's error or in their reason.
    public var error: String?
    /// Only those that have each of these tags.
    public var tags: [String] = []
    /// Only those whose payload has these fields with these values: a JSON object, such as
    /// `{"user": 17, "address": {"city": "Bonn"}}`; of an array, the elements. Numbers are equal
    /// by their value, and no number is equal to a text. A sealed payload matches none. No index
    /// serves it unless there is one: `docs/decisions/tags.md`.
    public var payload: String?
    /// Finished jobs too, as long as history keeps them.
    public var finished = false
    /// Not those finished ones that an operator has run again.
    public var leavesOutRetried = false
    public var limit = 50
    /// Only those that were made before this one: the last of a list, for the one that follows.
    public var before: JobID?

    public init() {}

    package var asksHistory: Bool { finished || states.contains(where: \.isFinished) }

    /// The queue whose unfinished jobs are meant, all of them; nil where more is asked.
    package var onlyQueue: QueueName? {
        let asksMore =
            !states.isEmpty || isDue != nil || kind != nil || key != nil || batch != nil
            || olderThan != nil || error != nil || finished || !tags.isEmpty || payload != nil
        return asksMore ? nil : queue
    }

    private static let pending: Set<JobStatus> = [.scheduled, .available, .retryable]

    /// The parameters $1 to $12 of every statement that looks for jobs.
    func bind(_ parameters: inout PostgresParameters) throws {
        let asked = states.isEmpty && isDue != nil ? Self.pending : states
        try parameters.append(asked.map(\.rawValue).sorted())
        try parameters.append(kind?.rawValue)
        try parameters.append(queue?.rawValue)
        try parameters.append(key)
        try parameters.append(asksHistory)
        try parameters.append(olderThan)
        try parameters.append(error.map(Self.pattern))
        try parameters.append(leavesOutRetried)
        try parameters.append(batch)
        try parameters.append(isDue)
        try parameters.append(tags.isEmpty ? nil : tags)
        try parameters.append(try checkedPayload.map { PostgresJSON($0) })
    }

    /// - Throws: `TenureError` with `.invalidJob` for what is no object.
    private var checkedPayload: String? {
        get throws {
            guard let payload else { return nil }
            // Reason for `try?`: what is no JSON at all is no object either.
            let value = try? JSONDecoder().decode(PayloadValue.self, from: Data(payload.utf8))
            guard case .object? = value else {
                throw TenureError(
                    .invalidJob,
                    "the filter's payload is no JSON object; give one such as {\"user\": 17}")
            }
            return payload
        }
    }

    /// For LIKE, in which the text stands for itself.
    private static func pattern(_ text: String) -> String {
        var pattern = "%"
        for character in text {
            if "%_\\".contains(character) { pattern += "\\" }
            pattern.append(character)
        }
        return pattern + "%"
    }
}
