import Tenure
import TenureFoundation

/// What became of jobs lately, and the time that was wasted.
struct StatisticsPage: Page {
    let since: Duration
    let text: String
    let place: ListPlace<NameKey>
    let tab: Tab? = .statistics
    var title: String { "The last \(text)" }

    /// - Throws: `BadFilter`.
    init(_ query: Query) throws {
        let text = query["since"] ?? "1h"
        self.text = text
        (since, place) = try BadFilter.keeping(
            .statistics, "Statistics", form: { Self.form(text, $0) },
            reading: {
                guard let since = DurationText.parse(text), since > .zero,
                    since <= .seconds(30 * 86_400)
                else {
                    throw BadRequest(
                        "since is \"\(text)\"; give a time such as 15m, 1h or 7d, 30d at most")
                }
                return (since, try ListPlace(query, at: "statistics", keeping: ["since"]))
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

    func look(_ look: Look) async throws -> ListPart<KindStatistics> {
        // No name has a line end.
        place.part(of: try await look.inspector.statistics(since: since), look) {
            NameKey("\($0.kind)\n\($0.queue)")
        }
    }

    func sections(_ found: ListPart<KindStatistics>, _ look: Look) -> [Section] {
        let rows = found.rows.map { one -> [Markup] in
            func jobs(_ number: Int, _ state: String) -> Markup {
                Markup.count(
                    number,
                    look.links.to(
                        "jobs",
                        query: [
                            ("queue", one.queue.rawValue), ("kind", one.kind.rawValue),
                            ("state", state),
                        ]))
            }
            return [
                "\(one.kind)", "\(one.queue)", jobs(one.completed, "completed"),
                jobs(one.discarded, "discarded"), jobs(one.cancelled, "cancelled"),
                jobs(one.superseded, "superseded"), "\(one.expired)", "\(one.failures)",
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
            none: "Nothing has ended. A queue that keeps no completed jobs shows none.")
        return [
            Section(
                id: "statistics", body: "\(table.markup)\(place.pages(found.next, look))")
        ]
    }
}
