/// Runs something to its end whatever happens to its caller: in a task of its own, which the
/// caller's cancellation doesn't reach, and awaited. The only unstructured task there is.
/// - Parameter executor: where the task prefers to run; the global executor if nil.
package func withoutCancellation<Result: Sendable>(
    on executor: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable () async -> Result
) async -> Result {
    await Task(executorPreference: executor) { await body() }.value
}
