import TenureFoundation
import Web

/// What a page refers to, each once, with the ids that the database knows them by.
struct PageTargets: Sendable {
    let hrefs: [String]
    let ids: [UUID]
    private let known: [String: UUID]

    init(_ edges: [Edge]) {
        var seen: Set<WebURL> = []
        hrefs = edges.compactMap(\.target).filter { seen.insert($0).inserted }.map(\.href)
        ids = hrefs.map { Digest.id(of: $0) }
        known = Dictionary(uniqueKeysWithValues: zip(hrefs, ids))
    }

    subscript(href: String) -> UUID? { known[href] }
}
