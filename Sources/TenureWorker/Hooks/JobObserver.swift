/// Is told what happens to a worker's runs: an error tracker, a figure of one's own, a page.
///
/// ```swift
/// struct ErrorReporter: JobObserver {
///     func observe(_ event: JobEvent) async {
///         guard case .ended(let run, let end) = event, let error = end.error else { return }
///         await tracker.report(error, tags: ["kind": "\(run.kind)", "job": "\(run.job)"])
///     }
/// }
/// let worker = try Worker(pool: pool, jobs: jobs, observers: [ErrorReporter()])
/// ```
///
/// It has no part in what it is told: nothing waits for it, no beat, claim or end of a run. Each
/// observer gets its events one after another, in the order in which the worker saw them, in a task
/// of its own. Up to 10,000 wait for one that is slow; then new ones are left out until there is
/// room again, and `.missed` says how many.
///
/// When the worker has ended, it is given what still waits, for five seconds; then its task is
/// cancelled. `Worker.run` returns after that. What is told here is told by this process alone, and
/// a process that is killed tells nothing: what has to be known belongs in the job's transaction.
public protocol JobObserver: Sendable {
    func observe(_ event: JobEvent) async
}
