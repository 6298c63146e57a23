// docs/decisions/sites.md

import Tenure
import TenureFoundation
import TenureWorker

/// A site that is watched is due: starts a check of it, unless the last one still runs.
struct SiteTick: DependencyJob {
    var scope = DependencyScope.site
    let site: UUID

    init(_ site: UUID) { self.site = site }

    /// One at a time: a tick finds the one before it that nobody has come to.
    static func key(of site: UUID) -> String { "site:\(site.uuidString.lowercased())" }

    var key: String { Self.key(of: site) }

    func run(_ parts: ContentParts, _ context: JobContext) async throws -> JobOutcome {
        let start = SiteStart(pool: parts.pool, client: context.client)
        let prepared: SiteStart.Prepared?
        do {
            prepared = try await start.prepare(site, isAskedFor: false)
        } catch let error as ContentError {
            return try await skip("\(error)", context)
        }
        // Removed meanwhile.
        guard let prepared else { return .completed }
        try context.checkRight()
        return try await context.commit { transaction in
            if case .skipped(let why) = try await start.begin(prepared, in: transaction) {
                _ = try await transaction.execute(NoteSkip(site: site, why: why))
            }
        }
    }

    private func skip(_ why: String, _ context: JobContext) async throws -> JobOutcome {
        try context.checkRight()
        return try await context.commit { transaction in
            _ = try await transaction.execute(NoteSkip(site: site, why: why))
        }
    }
}
