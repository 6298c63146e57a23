import FoundationEssentials
package import Logging
public import Tenure

/// The kinds of job a worker knows, each with its handler.
public struct JobRegistry: Sendable {
    private var makers: [JobKind: @Sendable (TenureClient, Logger) -> KindHandler] = [:]
    /// What of each kind's payloads is not to be shown.
    package private(set) var secretFields: [JobKind: SecretFields] = [:]

    public init() {}

    /// Registers the handler of a kind. A second one for the same kind replaces the first.
    ///
    /// The handler runs in a task of the worker's, its slot, on the global executor. When its right
    /// to go on ends, that task is cancelled with all its children, and `context.endReason` says
    /// why. It must expect to run more than once for one job; what it writes through
    /// `context.commit` counts once.
    ///
    /// Return how the run ended; throw to have it tried again. A `CancellationError`, wrapped
    /// or not, of a run that was asked to stop is no failure.
    public mutating func handle<J: Job>(
        _ type: J.Type,
        _ handler: @escaping @Sendable (J, JobContext) async throws -> JobOutcome
    ) {
        let decoder = JSONDecoder()
        let secretFields = SecretFields(J.secretFields.sorted())
        self.secretFields[J.kind] = secretFields
        makers[J.kind] = { client, logger in
            KindHandler(
                retry: J.retry, timeout: J.timeout, payloadVersion: J.payloadVersion,
                secretFields: secretFields
            ) { run in
                let job: J
                do {
                    let payload = Data(run.job.payload.utf8)
                    let version = run.job.payloadVersion
                    job =
                        version < J.payloadVersion
                        ? try J.upgrade(payload, from: version)
                        : try decoder.decode(J.self, from: payload)
                } catch {
                    throw UnreadablePayload(error)
                }
                return try await handler(job, JobContext(run, client: client, logger: logger))
            }
        }
    }

    /// The kinds in a stable order.
    package var kinds: [JobKind] { makers.keys.sorted { $0.rawValue < $1.rawValue } }

    /// What the engine runs: each run gets the context that its handler expects.
    package func handlers(client: TenureClient, logger: Logger) -> [JobKind: KindHandler] {
        makers.mapValues { $0(client, logger) }
    }
}
