import Tenure
import TenureFoundation

/// What became of jobs lately, and the time that was wasted.
struct StatisticsPage: Page {
    struct Found: Encodable, Sendable {
        let rows: [KindStatistics]
        @OrNull var next: String?
        let isWhole: Bool
        let share: Double
    }
    let since: Duration
    let text: String
    let place: ListPlace<NameKey>
    let counting: Counting
    let tab: Tab? = .statistics
    var title: String { "The last \(text)" }

    /// - Throws: `BadFilter`.
    init(_ query: Query) throws {
        let text = query["since"] ?? "1h"
        self.text = text
        (since, place, counting) = try BadFilter.keeping(
            .statistics, "Statistics", form: { Self.form(text, $0) },
            reading: {
                guard let since = DurationText.parse(text), since > .zero,
                    since <= .seconds(30 * 86_400)
                else {
                    throw BadRequest(
                        "since is \"\(text)\"; give a time such as 15m, 1h or 7d, 30d at most")
                }
                return (
                    since,
                    try ListPlace(query, at: "statistics", keeping: ["since", Counting.name]),
                    try Counting(query)
                )
            })
    }

    var head: (Links) -> Markup { { Self.form(text, $0) } }

    private static func form(_ text: String, _ links: Links) -> Markup {
        """
        <form class="filter" method="get" action="\(links.to("statistics"))" role="search">
        <label>the last<input name="since" value="\(text)" size="6" autocomplete="off"></label>
        <button type="submit">Show</button></form>
        """
    }

    func look(_ look: Look) async throws -> Found {
        let found = try await look.inspector.statistics(
            since: since, readingAtMost: counting.pageBound)
        // No name has a line end.
        let part = place.part(of: found.kinds, look) { NameKey("\($0.kind)\n\($0.queue)") }
        return Found(rows: part.rows, next: part.next, isWhole: found.isWhole, share: found.share)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let about: Markup = found.share < 1 ? "≈ " : ""
        let rows = found.rows.map { one -> [Markup] in
            func jobs(_ number: Int, _ state: String) -> Markup {
                let those = look.links.to(
                    "jobs",
                    query: [
                        ("queue", one.queue.rawValue), ("kind", one.kind.rawValue),
                        ("state", state),
                    ])
                return "\(about)\(Markup.count(number, those))"
            }
            return [
                "\(one.kind)", "\(one.queue)", jobs(one.completed, "completed"),
                jobs(one.discarded, "discarded"), jobs(one.cancelled, "cancelled"),
                jobs(one.superseded, "superseded"), "\(about)\(one.expired)",
                one.failures.map { "\($0)" } ?? "–",
                Markup.duration(one.waitMedian), Markup.duration(one.wait95),
                Markup.duration(one.runMedian), Markup.duration(one.run95),
                Markup.duration(one.supersededWork),
            ]
        }
        let table = ListTable(
            caption: "By kind and queue. Waited: from due to begun, of half and of 95 in 100. "
                + "Wasted: the time of runs that were superseded",
            columns: [
                .init("kind"), .init("queue"), .init("completed", isNumber: true),
                .init("discarded", isNumber: true), .init("cancelled", isNumber: true),
                .init("superseded", isNumber: true), .init("expired", isNumber: true),
                .init("failed attempts", isNumber: true), .init("waited", isNumber: true),
                .init("waited 95", isNumber: true), .init("ran", isNumber: true),
                .init("ran 95", isNumber: true), .init("wasted", isNumber: true),
            ], rows: rows,
            none: !found.isWhole
                ? "Nothing of what was read has ended in this time."
                : "Nothing has ended. A queue that keeps no completed jobs shows none.")
        return [
            Section(
                id: "statistics",
                body: "\(table.markup)\(note(found, look))\(place.pages(found.next, look))")
        ]
    }

    private func note(_ found: Found, _ look: Look) -> Markup {
        guard !found.isWhole else { return "" }
        let all = Markup.link("Count them all", to: place.address(Counting.wholly, look))
        guard found.share < 1 else {
            return """
                <p class="soft">Without failed attempts, which are too many to be looked for at \
                each look. \(all)</p>
                """
        }
        let percent = "\((found.share * 1000).rounded(.up) / 10) %"
        return """
            <p class="soft">Estimated from \(percent) of the pages in question, without failed \
            attempts. A kind of few jobs may be far off, or missing. \(all)</p>
            """
    }
}
