import Tenure
import TenureFoundation
import Web

/// Whatever is wrong in a check, a row for each place.
struct CheckFindings: Sendable {
    /// Whether every finding is here, be it with some of its places only.
    var isWhole: Bool
    private let others: [FoundPlace]
    private let fragments: [FoundPlace]
    /// What redirects for good, whether that counts or not.
    let moved: [FoundPlace]
    /// Pages that are one page, if most are, and that finding.
    private let alike: Set<String>
    private let sameEverywhere: [FoundPlace]

    /// What is wrong with the one page that every URL shows is said once, and of none of them.
    var rows: [FoundPlace] {
        let all = others + fragments
        return alike.isEmpty ? all : sameEverywhere + all.filter { !isOfTheOnePage($0) }
    }

    /// What is left out so. It is not mended by that.
    var unsaid: [FoundPlace] {
        alike.isEmpty ? [] : (others + fragments).filter(isOfTheOnePage)
    }

    private func isOfTheOnePage(_ row: FoundPlace) -> Bool {
        (row.fragment != nil || row.code == Suspicion.softMissing.rawValue)
            && alike.contains(row.target)
    }

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
        // Those that take longest by themselves, beside the others.
        async let inside = pool.pipeline(
            PlanQuickly(), FindMissingFragments(check: check, most: most),
            FindMissingPlaces(check: check, most: most), deadline: .seconds(300))
        let (_, broken, unusable, loops, moved, insecure, mail) = try await pool.pipeline(
            PlanQuickly(), FindBroken(check: check, most: most),
            FindUnusable(check: check, most: most), FindCanonicalLoops(check: check, most: most),
            FindMoved(check: check, most: most, isStrict: started.options.strict),
            FindInsecure(check: started, most: most), FindWrongMail(check: check, most: most),
            deadline: .seconds(300))
        let (_, fragments, places) = try await inside
        let asked = rules.checksFragments ? fragments + places : []
        // Files of a folder that are the same are just that.
        var alike =
            started.folder == nil
            ? try await pool.execute(FindAlike(check: check), deadline: .seconds(300)) : []
        let wrong = asked + broken.filter { $0.code == Suspicion.softMissing.rawValue }
        if !FindAlike.isWorthSaying(alike, wrong: wrong.map(\.target)) { alike = [] }
        let counted = rules.aspects.moved ? moved : []
        let isWhole = [broken, asked, places, unusable, loops, counted, insecure, mail].allSatisfy {
            rows in
            (rows.first?.findingCount ?? 0) <= most ?? .max
        }
        return CheckFindings(
            isWhole: isWhole, others: broken + unusable + loops + counted + insecure + mail,
            fragments: asked, moved: moved, alike: Set(alike.map(\.href)),
            sameEverywhere: alike.first.map { [sameEverywhere(started, alike.count, of: $0.pages)] }
                ?? [])
    }

    private static func sameEverywhere(
        _ check: StartedCheck, _ count: Int, of pages: Int
    ) -> FoundPlace {
        FoundPlace(
            target: check.start.href, code: FindingCode.sameEverywhere,
            detail: "\(count) of \(pages) pages are one and the same, byte for byte")
    }
}
