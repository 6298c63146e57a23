package import Tenure

/// What a run reports to the database when it has let go.
package struct RunEnding: Sendable {
    package enum Wanted: String, Sendable, CaseIterable {
        case completed, failed, snoozed, discarded, cancelled, superseded, held, waits
        case handedBack = "handed_back"
        /// Claimed, and no handler has begun: as if it had not been claimed.
        case unbegun
    }

    package let run: RunRef
    package var wanted: Wanted
    package var delay: Duration?
    package var result: String?
    package var reason: String?
    package var errorCode: String?
    package var errorMessage: String?
    /// What the handler threw, for the log, if the database agrees that this was a failure.
    var error: (any Error)?
    /// The release that could not run it, when it is held.
    package var holdVersion: String?
    /// What else is to be done: the fields of `also` in `tenure.ending`.
    package var also: [String] = []
    /// What the program says that it has made of the job already: so it is, if this comes late.
    package var saidToBe: RunOutcome?
    /// Stands for an end that the database could not take.
    var isReplacement = false

    /// What an error tracker gets: a timeout's cancellation would say nothing, and a job that is
    /// held has only a reason.
    var failure: any Error {
        if let error, errorCode != Self.timedOut { return error }
        return ReportedFailure(description: errorMessage ?? reason ?? "")
    }

    static let timedOut = "timed_out"
    /// The handler returned the value of a commit that isn't there.
    static let notCommitted = "not_committed"
    /// The handler returned `.retry(after:reason:)`.
    static let retryAsked = "retry_asked"

    package init(_ run: RunRef, _ wanted: Wanted) {
        self.run = run
        self.wanted = wanted
    }

    /// No pause is longer than PostgreSQL's clock can bear.
    static let longestDelay = Duration.seconds(10 * 365 * 86_400)

    static func bounded(_ delay: Duration) -> Duration { min(max(delay, .zero), longestDelay) }

    package static func failed(
        _ run: RunRef, code: String, message: String, delay: Duration
    ) -> RunEnding {
        var ending = RunEnding(run, .failed)
        ending.errorCode = code
        ending.errorMessage = String(message.prefix(4000)).storable
        ending.delay = bounded(delay)
        return ending
    }
}

/// Stands for an error whose own text nobody is to see, or says nothing.
struct ReportedFailure: Error, CustomStringConvertible { let description: String }

extension String {
    /// Without NUL characters, which PostgreSQL can't store.
    var storable: String { utf8.contains(0) ? filter { $0 != "\0" } : self }
}
