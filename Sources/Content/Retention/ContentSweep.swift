public import Tenure
import TenureWorker

/// Forgets what the product has seen and nobody wants kept any longer, in short bites. Coordinators
/// enqueue it every hour.
public struct ContentSweep: Job {
    public static let kind: JobKind = "content-sweep"
    /// After whatever somebody waits for.
    public static let options = JobOptions<Self>(priority: .idle, timeout: .seconds(1800))
    package static let interval: Duration = .seconds(3600)

    public init() {}

    /// Until nothing is left that is too old, one kind of row after the other: a row that can't be
    /// deleted keeps no other kind.
    func run(_ kept: ContentRetention, pool: PostgresPool, context: JobContext) async throws {
        let share = SweepShare(hour: try await pool.execute(ReadSweepHour())[0])
        var failure: (any Error)?
        func go(_ step: () async throws -> Void) async throws {
            do {
                try await step()
            } catch {
                try context.checkRight()
                failure = failure ?? error
            }
        }
        for what in ForgetOld.What.allCases {
            try await go { try await forget(what, kept, pool: pool, context: context) }
        }
        try await go {
            var bite = ForgetVersions(kept: kept, share: share)
            while let last = try await pool.execute(bite)[0] {
                bite.after = last
                try context.checkRight()
            }
        }
        try await go {
            var bite = ForgetBodies(share: share)
            while let last = try await pool.execute(bite)[0] {
                bite.after = last
                try context.checkRight()
            }
        }
        try await go {
            while try await !pool.execute(DropUnusedBodies()).isEmpty { try context.checkRight() }
        }
        try await go {
            while try await !pool.execute(DropUnusedDownloads()).isEmpty {
                try context.checkRight()
            }
        }
        try await go { _ = try await pool.execute(NoteSizes()) }
        if let failure { throw failure }
    }

    private func forget(
        _ what: ForgetOld.What, _ kept: ContentRetention, pool: PostgresPool, context: JobContext
    ) async throws {
        let bite = ForgetOld(what: what, kept: kept[what])
        while try await pool.execute(bite)[0] > 0 { try context.checkRight() }
    }
}

extension ContentRetention {
    fileprivate subscript(_ what: ForgetOld.What) -> Duration {
        switch what {
        case .checks: checks
        case .events: events
        case .notices: notices
        case .candidates: candidates
        }
    }
}
