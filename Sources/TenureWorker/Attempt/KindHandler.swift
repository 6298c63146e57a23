package import Tenure

/// A kind that this worker can run: its policy, and its handler in the engine's own terms.
package final class KindHandler: Sendable {
    /// - Throws: `UnreadablePayload` when the payload can't be decoded; the job is held then.
    package typealias Body = @Sendable (Run) async throws -> JobOutcome

    let retry: RetryPolicy
    let timeout: Duration?
    let payloadVersion: Int16
    let secretFields: SecretFields
    let letters: LetterAddress?
    /// Whether what its runs log is kept with their jobs.
    let keepsLog: Bool
    /// How what its runs come to is stored.
    let seals: PayloadSeals
    let run: Body

    package init(
        retry: RetryPolicy = .standard, timeout: Duration? = nil, payloadVersion: Int16 = 1,
        secretFields: SecretFields = SecretFields([]), letters: LetterAddress? = nil,
        keepsLog: Bool = false, seals: PayloadSeals = .none,
        run: @escaping Body
    ) {
        self.retry = retry
        self.timeout = timeout
        self.payloadVersion = payloadVersion
        self.secretFields = secretFields
        self.letters = letters
        self.keepsLog = keepsLog
        self.seals = seals
        self.run = run
    }
}

/// The handler never started: its payload could not be read.
package struct UnreadablePayload: Error {
    let cause: any Error
    package init(_ cause: any Error) { self.cause = cause }
}
