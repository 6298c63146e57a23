/// Where the letters of a kind's or a queue's discarded jobs go: jobs of another kind, each with
/// the ``DeadLetter`` of one that was given up.
///
/// ```swift
/// struct ChargeFailed: LetterJob {
///     static let kind: JobKind = "charge-failed"
///     static let options = JobOptions<Self>(queue: "support")
///     let letter: DeadLetter
/// }
///
/// struct Charge: Job {
///     static let kind: JobKind = "charge"
///     static let options = JobOptions<Self>(deadLetter: .to(ChargeFailed.self))
///     let invoice: Int
/// }
/// ```
public struct LetterAddress: Sendable, Hashable {
    public let kind: JobKind
    /// Nil: the queue of the discarded job.
    public let queue: QueueName?
    let priority: JobPriority
    let maxAttempts: Int
    let payloadVersion: Int16

    /// Letters of this type. Of its options they have the queue, the priority, the attempts and the
    /// payload's version; key, lane and expiry they have none.
    /// - Parameter queue: nil: the type's own.
    public static func to<Letter: LetterJob>(
        _ type: Letter.Type, queue: QueueName? = nil
    ) -> LetterAddress {
        let options = Letter.options
        return LetterAddress(
            kind: Letter.kind, queue: queue ?? options.queue, priority: options.priority,
            maxAttempts: options.retry.maxAttempts, payloadVersion: options.payloadVersion)
    }

    /// Letters of a kind that another program handles: 25 attempts, priority 5.
    /// - Parameter queue: nil: that of the discarded job.
    public static func to(kind: JobKind, queue: QueueName? = nil) -> LetterAddress {
        LetterAddress(
            kind: kind, queue: queue, priority: .normal,
            maxAttempts: RetryPolicy.standard.maxAttempts, payloadVersion: 1)
    }

    /// - Throws: `TenureError` with `.invalidJob`.
    func check(of kind: JobKind) throws {
        try JobLimits.check(
            name: self.kind.rawValue, of: "deadLetter.kind", longest: JobLimits.longestName)
        if let queue {
            try JobLimits.check(
                name: queue.rawValue, of: "deadLetter.queue", longest: JobLimits.longestName)
        }
        if self.kind == kind {
            throw TenureError(
                .invalidJob, "deadLetter names the kind itself; give letters a kind of their own")
        }
    }
}

/// A type of job that letters come as. Nothing else is needed of it: the letter is its payload.
///
/// Of a kind that letters come as none are written, whatever becomes of its jobs.
public protocol LetterJob: Job {
    /// What was discarded, and why.
    var letter: DeadLetter { get }
}

extension LetterAddress: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(["kind": kind, "queue": queue])
    }
}

extension LetterAddress {
    /// As `tenure.declare_letters` takes it.
    package struct Declaration: Encodable {
        let kind: String
        let queue: String?
        let priority: Int16
        let maxAttempts: Int
        let payloadVersion: Int16

        private enum CodingKeys: String, CodingKey {
            case kind, queue, priority
            case maxAttempts = "max_attempts"
            case payloadVersion = "payload_version"
        }
    }

    package var declaration: Declaration {
        Declaration(
            kind: kind.rawValue, queue: queue?.rawValue, priority: priority.rawValue,
            maxAttempts: maxAttempts, payloadVersion: payloadVersion)
    }

    /// As a row has it.
    package init?(kind: String?, queue: String?) {
        guard let kind else { return nil }
        self = .to(kind: JobKind(kind), queue: queue.map { QueueName($0) })
    }
}
