import Tenure

/// The kinds of jobs, over all queues.
struct KindsPage: Page {
    let tab: Tab? = .kinds
    let asksWhy = true
    let title = "Kinds"

    let place: ListPlace<NameKey>
    let counting: Counting

    init(_ query: Query) throws {
        counting = try Counting(query)
        place = try ListPlace(query, at: "kinds", keeping: [Counting.name])
    }

    func look(_ look: Look) async throws -> ListPart<KindStatus> {
        place.part(of: try await look.inspector.kinds(countingTo: counting.bound), look) {
            NameKey($0.kind.rawValue)
        }
    }

    func sections(_ found: ListPart<KindStatus>, _ look: Look) -> [Section] {
        let rows = found.rows.map { kind -> [Markup] in
            let name = kind.kind.rawValue
            let isPaused = kind.pausedAt != nil
            let state: Markup =
                isPaused
                ? "\(Markup.badge("paused", .doubt)) by \(kind.pausedBy ?? "someone")"
                : "\(Markup.badge("open"))"
            let reason: Markup =
                kind.reason.map { " <span class=\"soft\">\(look.settings.redact($0))</span>" } ?? ""
            let verb = VerbButton(
                title: isPaused ? "Resume" : "Pause",
                address: look.links.to("kinds", name, isPaused ? "resume" : "pause"))
            return [
                Markup.link(name, to: look.links.to("jobs", query: [("kind", name)])),
                "\(state)\(reason)",
            ] + kind.cells([("kind", name)], look.links) + [
                "\(kind.workers)", "\(kind.deaths)", look.verb(verb),
            ]
        }
        let table = ListTable(
            caption: "Kinds of jobs; deaths are processes that died lately while they ran one",
            columns: [.init("kind"), .init("state")] + JobCounts.columns() + [
                .init("workers", isNumber: true), .init("deaths", isNumber: true),
                .init(look.mayAct ? "do" : ""),
            ], rows: rows, none: "No job and no worker names a kind.")
        let all = counting.note(
            found.rows.contains(where: \.isAtLeast), place.address(Counting.wholly, look),
            "Kinds that have neither a worker nor one of the newest jobs may be missing. ")
        return [Section(id: "kinds", body: "\(table.markup)\(all)\(place.pages(found.next, look))")]
    }
}
