public import TenureFoundation

/// A discarded job, as the job hears of it that its kind or queue has named (``LetterAddress``).
///
/// It is written in the transaction that discards, whoever does: a handler's last failure, its
/// `.discard`, an expiry, the death of a worker on the last attempt, an operator. It holds what was
/// known then; history may have forgotten the job when the letter is read, or an operator have run
/// it again.
public struct DeadLetter: Sendable, Hashable {
    /// How its last attempt failed.
    public struct Failure: Sendable, Hashable {
        public let attempt: Int
        public let failedAt: Date?
        public let code: String
        /// Cut after 16,384 characters.
        public let message: String
    }

    public let job: JobID
    public let kind: JobKind
    public let queue: QueueName
    public let key: String?
    public let generation: Generation?
    public let lane: String?
    /// To which it belonged; the letter does not.
    public let batch: UUID?
    /// JSON text. Nil: it is larger than 786,432 bytes or nested deeper than 62 levels; history has
    /// it. Show it to nobody: the secret fields of its type are in it. Where it is sealed, it is so
    /// here.
    public let payload: String?
    public let payloadVersion: Int16
    /// The attempts that counted.
    public let attempt: Int
    public let maxAttempts: Int
    /// All of them.
    public let runs: Int
    public let createdAt: Date?
    /// When its last run was claimed; nil where it was discarded while it waited.
    public let claimedAt: Date?
    public let discardedAt: Date?
    /// Why it was given up: what its handler said, `expired: …`, `discarded by …`, or that its
    /// attempts are spent. Cut after 4,096 characters.
    public let reason: String?
    /// Nil: no attempt failed.
    public let error: Failure?

    /// Whether it was discarded because it had not begun by its `notAfter`.
    public var isExpired: Bool { reason?.hasPrefix("expired:") ?? false }
}

extension DeadLetter.Failure: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        attempt = try fields.decode(Int.self, forKey: .attempt)
        failedAt = try fields.moment(.failedAt)
        code = try fields.decode(String.self, forKey: .code)
        message = try fields.decode(String.self, forKey: .message)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(attempt, forKey: .attempt)
        try fields.encode(moment: failedAt, .failedAt)
        try fields.encode(code, forKey: .code)
        try fields.encode(message, forKey: .message)
    }

    private enum CodingKeys: String, CodingKey { case attempt, failedAt, code, message }
}

/// As `tenure.letter_of` writes it.
extension DeadLetter: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        job = try fields.decode(JobID.self, forKey: .job)
        kind = try fields.decode(JobKind.self, forKey: .kind)
        queue = try fields.decode(QueueName.self, forKey: .queue)
        key = try fields.decodeIfPresent(String.self, forKey: .key)
        generation = try fields.decodeIfPresent(Generation.self, forKey: .generation)
        lane = try fields.decodeIfPresent(String.self, forKey: .lane)
        batch = try fields.decodeIfPresent(UUID.self, forKey: .batch)
        payload =
            fields.contains(.payload)
            ? try fields.decode(ExactJSON.self, forKey: .payload).text : nil
        payloadVersion = try fields.decode(Int16.self, forKey: .payloadVersion)
        attempt = try fields.decode(Int.self, forKey: .attempt)
        maxAttempts = try fields.decode(Int.self, forKey: .maxAttempts)
        runs = try fields.decode(Int.self, forKey: .runs)
        createdAt = try fields.moment(.createdAt)
        claimedAt = try fields.moment(.claimedAt)
        discardedAt = try fields.moment(.discardedAt)
        reason = try fields.decodeIfPresent(String.self, forKey: .reason)
        error = try fields.decodeIfPresent(Failure.self, forKey: .error)
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(job, forKey: .job)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(queue, forKey: .queue)
        try fields.encodeIfPresent(key, forKey: .key)
        try fields.encodeIfPresent(generation, forKey: .generation)
        try fields.encodeIfPresent(lane, forKey: .lane)
        try fields.encodeIfPresent(batch, forKey: .batch)
        try fields.encodeIfPresent(payload.map { try ExactJSON(text: $0) }, forKey: .payload)
        try fields.encode(payloadVersion, forKey: .payloadVersion)
        try fields.encode(attempt, forKey: .attempt)
        try fields.encode(maxAttempts, forKey: .maxAttempts)
        try fields.encode(runs, forKey: .runs)
        try fields.encode(moment: createdAt, .createdAt)
        try fields.encode(moment: claimedAt, .claimedAt)
        try fields.encode(moment: discardedAt, .discardedAt)
        try fields.encodeIfPresent(reason, forKey: .reason)
        try fields.encodeIfPresent(error, forKey: .error)
    }

    private enum CodingKeys: String, CodingKey {
        case job, kind, queue, key, generation, lane, batch, payload, payloadVersion, attempt
        case maxAttempts, runs, createdAt, claimedAt, discardedAt, reason, error
    }
}

/// Times as ISO 8601 has them, whatever a coder does with dates.
private let momentStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

extension KeyedDecodingContainer {
    fileprivate func moment(_ key: Key) throws -> Date? {
        try decodeIfPresent(String.self, forKey: key).map { try momentStyle.parse($0) }
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode(moment: Date?, _ key: Key) throws {
        try encodeIfPresent(moment.map { momentStyle.format($0) }, forKey: key)
    }
}
