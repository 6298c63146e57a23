import Tenure

/// Something of a program's own that goes around each run of its handlers: a deadline of its own, a
/// task-local value, a switch that puts jobs off, a measurement.
///
/// ```swift
/// struct PerTenant: JobMiddleware {
///     func run(
///         _ context: JobContext, _ next: @Sendable () async throws -> JobOutcome
///     ) async throws -> JobOutcome {
///         try await Tenant.$current.withValue(context.key) { try await next() }
///     }
/// }
/// jobs.use(PerTenant())
/// ```
///
/// It is called in the handler's own task, within its timeout and under its right to go on, for
/// jobs whose payload could be read. It is cancelled as the handler is: let a `CancellationError`
/// through. What it returns or throws is what the run came to, unless the handler has committed:
/// then the job has ended as it was committed. To be told of what happened to runs, without a
/// part in it, is `JobObserver`'s.
public protocol JobMiddleware: Sendable {
    /// - Parameter next: runs the handler, or the middleware within this one, and says what it came
    ///   to. May be left out, where the run is not to take place: return `.snooze(for:)` or throw.
    ///   Called a second time it throws `TenureError` with `.misuse`: a run's handler runs once.
    func run(
        _ context: JobContext, _ next: @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome
}

/// A handler with all that goes around it, the first outermost.
struct MiddlewareChain: Sendable {
    let links: [any JobMiddleware]

    /// This, and others within it.
    func around(_ inner: [any JobMiddleware]) -> MiddlewareChain {
        MiddlewareChain(links: links + inner)
    }

    func run(
        _ context: JobContext, _ handler: @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        // Most often there is nothing between a run and its handler.
        if links.isEmpty { return try await handler() }
        return try await run(context, from: 0, handler)
    }

    private func run(
        _ context: JobContext, from index: Int,
        _ handler: @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        guard index < links.count else { return try await handler() }
        let link = links[index]
        let isCalled = Lock(false)
        return try await link.run(context) {
            guard
                !isCalled.withLock({ isCalled in
                    defer { isCalled = true }
                    return isCalled
                })
            else {
                throw TenureError(
                    .misuse,
                    "\(type(of: link)) has called next twice: a run's handler runs once; let "
                        + "the job be tried again with .retry(after:reason:)")
            }
            return try await run(context, from: index + 1, handler)
        }
    }
}
