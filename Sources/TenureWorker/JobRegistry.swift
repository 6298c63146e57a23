import FoundationEssentials
import Logging
public import Tenure

/// The kinds of job a worker knows, each with its handler.
public struct JobRegistry: Sendable {
    package struct Entry: Sendable {
        package let retry: RetryPolicy
        package let timeout: Duration?
        package let payloadVersion: Int16
        /// Decodes, and returns the handler's run; throws when the payload can't be decoded.
        package let prepare: @Sendable (String) throws -> Run
    }
    package typealias Run = @Sendable (JobContext) async throws -> JobOutcome

    package private(set) var entries: [JobKind: Entry] = [:]

    public init() {}

    /// Registers the handler of a kind. A second one for the same kind replaces the first.
    ///
    /// The handler runs in a task group of its own, on the global executor. When its right to go
    /// on ends, the whole group is cancelled, and `context.endReason` says why. It must expect to
    /// run more than once for one job; what it writes through `context.commit` counts once.
    ///
    /// Return how the run ended; throw to have it tried again. A `CancellationError`, wrapped
    /// or not, of a run that was asked to stop is no failure.
    public mutating func handle<J: Job>(
        _ type: J.Type,
        _ handler: @escaping @Sendable (J, JobContext) async throws -> JobOutcome
    ) {
        entries[J.kind] = Entry(
            retry: J.retry, timeout: J.timeout, payloadVersion: J.payloadVersion
        ) { payload in
            let job = try JSONDecoder().decode(J.self, from: Data(payload.utf8))
            return { context in try await handler(job, context) }
        }
    }

    /// The kinds in a stable order.
    package var kinds: [JobKind] { entries.keys.sorted { $0.rawValue < $1.rawValue } }

    /// What the engine runs: each run gets the context that its handler expects.
    func handlers(client: TenureClient, logger: Logger) -> [JobKind: KindHandler] {
        entries.mapValues { entry in
            KindHandler(
                retry: entry.retry, timeout: entry.timeout, payloadVersion: entry.payloadVersion
            ) { payload in
                let run = try entry.prepare(payload)
                return { try await run(JobContext($0, client: client, logger: logger)) }
            }
        }
    }
}
