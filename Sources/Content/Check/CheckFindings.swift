import FoundationEssentials
import Tenure

/// Whatever is wrong in a check, a row for each place.
struct CheckFindings: Sendable {
    /// Whether every finding is here, be it with some of its places only.
    let isWhole: Bool
    private let others: [FoundPlace]
    private let fragments: [FoundPlace]
    /// What redirects for good, whether that counts or not.
    let moved: [FoundPlace]

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

    /// - Parameter most: places of each sort; nil for all of them, for who reads them out.
    static func find(
        _ started: StartedCheck, most: Int? = nil, in pool: PostgresPool
    ) async throws -> CheckFindings {
        let (check, rules) = (started.id, started.options.rules)
        let (_, broken, fragments, unusable, loops, places, moved, insecure) =
            try await pool.pipeline(
                PlanQuickly(), FindBroken(check: check, most: most),
                FindMissingFragments(check: check, most: most),
                FindUnusable(check: check, most: most),
                FindCanonicalLoops(check: check, most: most),
                FindMissingPlaces(check: check, most: most),
                FindMoved(check: check, most: most, isStrict: started.options.strict),
                FindInsecure(check: started, most: most), deadline: .seconds(300))
        let asked = rules.checksFragments ? fragments + places : []
        let counted = rules.aspects.moved ? moved : []
        let isWhole = [broken, asked, places, unusable, loops, counted, insecure].allSatisfy {
            rows in
            (rows.first?.findingCount ?? 0) <= most ?? .max
        }
        return CheckFindings(
            isWhole: isWhole, others: broken + unusable + loops + counted + insecure,
            fragments: asked, moved: moved)
    }
}
