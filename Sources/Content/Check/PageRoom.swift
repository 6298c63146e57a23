import Synchronization
import Tenure
import TenureFoundation

/// How many pages checks have room for. A check's pages are counted now and then; what this process
/// adds meanwhile is known, what others add is not: a check that many work on has some more than it
/// may.
final class PageRoom: Sendable {
    private struct Count {
        var pages: Int
        let until: ContinuousClock.Instant
    }
    private let counts = Mutex<[UUID: Count]>([:])
    private static let most = 64
    /// Counting takes a thirtieth of the time at most,
    private static let rarely = 30
    /// and is not done more often than this.
    private static let leastPause: Duration = .milliseconds(500)

    /// - Returns: how many more may be added.
    func room(
        in check: StartedCheck, _ transaction: PostgresTransaction
    ) async throws -> Int {
        let most = check.options.pages
        let now = ContinuousClock.now
        let known = counts.withLock { $0[check.id] }
        if let known, now < known.until { return max(0, most - known.pages) }
        let pages =
            try await transaction.execute(CountPages(check: check.id, most: most))
            .first ?? 0
        let pause = max(Self.leastPause, now.duration(to: .now) * Self.rarely)
        counts.withLock { counts in
            if counts.count >= Self.most { counts = [:] }
            counts[check.id] = Count(pages: pages, until: .now + pause)
        }
        return max(0, most - pages)
    }

    func added(_ pages: Int, to check: StartedCheck) {
        counts.withLock { counts in
            guard let known = counts[check.id]?.pages else { return }
            // More than there can be is as good as full.
            counts[check.id]?.pages = min(known, check.options.pages) + pages
        }
    }
}
