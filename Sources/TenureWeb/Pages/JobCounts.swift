import Tenure

/// What is counted of a queue, of a kind, and of a queue's kind.
protocol JobCounted {
    var due: Int { get }
    var running: Int { get }
    var later: Int { get }
    var waiting: Int { get }
    var held: Int { get }
    var pendingIsAtLeast: Bool { get }
    var parkedIsAtLeast: Bool { get }
}

extension QueueStatus: JobCounted {}
extension KindStatus: JobCounted {}
extension QueueKind: JobCounted {}

extension JobCounted {
    var isAtLeast: Bool { pendingIsAtLeast || parkedIsAtLeast }

    /// The cells of ``JobCounts/columns``, each a link to what it counts.
    /// - Parameters:
    ///   - claimed: behind those that run.
    ///   - filters: which jobs are counted, as an address says it.
    func cells(claimed: Int? = nil, _ filters: [(String, String?)], _ links: Links) -> [Markup] {
        func count(
            _ number: Int, _ filter: (String, String?), _ isAtLeast: Bool = false
        ) -> Markup {
            Markup.count(
                number, links.to("jobs", query: filters + [filter]), isAtLeast: isAtLeast)
        }
        let claims = claimed.map { [count($0, ("state", "running"))] } ?? []
        return [count(due, ("due", "now"), pendingIsAtLeast), count(running, ("state", "running"))]
            + claims + [
                count(later, ("due", "later"), pendingIsAtLeast),
                count(waiting, ("state", "waiting"), parkedIsAtLeast),
                count(held, ("state", "held"), parkedIsAtLeast),
            ]
    }
}

enum JobCounts {
    static func columns(claimed: Bool = false) -> [ListTable.Column] {
        (["due", "running"] + (claimed ? ["claimed"] : []) + ["later", "waiting", "held"]).map {
            .init($0, isNumber: true)
        }
    }
}
