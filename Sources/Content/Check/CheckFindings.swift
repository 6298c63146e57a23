import FoundationEssentials
import Tenure

/// Whatever is wrong in a check, a row for each place.
struct CheckFindings: Sendable {
    private let others: [FoundPlace]
    private let fragments: [FoundPlace]

    var rows: [FoundPlace] { others + fragments }

    /// Anchors that are missing, each once: a navigation that is wrong is so on every page.
    var missing: [MissingFragment] {
        var seen: Set<[String]> = []
        return fragments.compactMap { row in
            guard let name = row.fragment, seen.insert([row.target, name]).inserted else {
                return nil
            }
            return MissingFragment(target: row.target, name: name)
        }
    }

    static func find(
        _ started: StartedCheck, in pool: PostgresPool
    ) async throws -> CheckFindings {
        let check = started.id
        let (_, broken, fragments, unusable, loops) = try await pool.pipeline(
            PlanQuickly(), FindBroken(check: check), FindMissingFragments(check: check),
            FindUnusable(check: check), FindCanonicalLoops(check: check),
            deadline: .seconds(300))
        return CheckFindings(
            others: broken + unusable + loops,
            fragments: started.options.rules.checksFragments ? fragments : [])
    }
}
