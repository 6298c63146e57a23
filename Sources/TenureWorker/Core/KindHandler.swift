package import Tenure

/// A kind that this worker can run: its policy, and its handler in the engine's own terms.
package struct KindHandler: Sendable {
    package typealias Run = @Sendable (RunHandle) async throws -> JobOutcome

    let retry: RetryPolicy
    let timeout: Duration?
    let payloadVersion: Int16
    /// Decodes, and returns the handler's run; throws when the payload can't be decoded.
    let prepare: @Sendable (_ payload: String) throws -> Run

    package init(
        retry: RetryPolicy = .standard, timeout: Duration? = nil, payloadVersion: Int16 = 1,
        prepare: @escaping @Sendable (_ payload: String) throws -> Run
    ) {
        self.retry = retry
        self.timeout = timeout
        self.payloadVersion = payloadVersion
        self.prepare = prepare
    }
}
