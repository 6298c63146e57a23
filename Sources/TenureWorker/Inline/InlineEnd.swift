package import Tenure

/// What became of a run that an inline worker has run.
package struct InlineEnd: Sendable {
    package let run: RunInfo
    /// Nil when the database had given the job's place to another.
    package var became: RunOutcome?
    /// What the run reported; nil when the handler's own commit had written its end.
    package var ending: RunEnding?
    /// What the handler threw, whatever that was taken for.
    package var error: (any Error)? { ending?.error ?? thrown }
    /// Why its right ended, if it did.
    package var reason: EndReason?
    /// All that it reported, in order.
    package var progress: [JobProgress] = []
    var thrown: (any Error)?
}
