package import Tenure
import TenurePostgres

/// The newest report of each run, until a beat has carried it. Runs that report nothing have no
/// place here.
package final class ProgressBoard: Sendable {
    /// While the database is away nothing leaves: what more runs than this report is let go.
    private static let mostRuns = 10_000
    private let news = Lock<[RunRef: JobProgress]>([:])
    private let heard: (@Sendable (JobProgress) -> Void)?

    /// - Parameter heard: told of each report, too, on the thread of whoever makes it.
    package init(heard: (@Sendable (JobProgress) -> Void)? = nil) { self.heard = heard }

    /// Never waits.
    package func report(_ progress: JobProgress, of run: RunRef) {
        news.withLock { news in
            if news.count < Self.mostRuns || news[run] != nil { news[run] = progress }
        }
        heard?(progress)
    }

    /// All that has gathered, for a beat.
    package func take() -> [ProgressNews] {
        let taken = news.withLock { news in
            // Keeps its memory where there is some: runs that report do so again.
            if news.isEmpty { return [RunRef: JobProgress]() }
            defer { news.removeAll(keepingCapacity: true) }
            return news
        }
        return taken.isEmpty ? [] : taken.map { ProgressNews(run: $0.key, progress: $0.value) }
    }

    /// The beat that was to carry these may not have arrived. What was reported since is newer.
    package func putBack(_ unsent: [ProgressNews]) {
        news.withLock { news in
            for one in unsent where news[one.run] == nil { news[one.run] = one.progress }
        }
    }
}
