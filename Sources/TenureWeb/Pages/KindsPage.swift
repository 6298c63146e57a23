import Tenure

/// The kinds of jobs, over all queues.
struct KindsPage: Page {
    let tab: Tab? = .kinds
    let title = "Kinds"

    let place: ListPlace<NameKey>

    init(_ query: Query) throws { place = try ListPlace(query, at: "kinds") }

    func look(_ look: Look) async throws -> ListPart<KindStatus> {
        place.part(of: try await look.inspector.kinds(), look) { NameKey($0.kind.rawValue) }
    }

    func sections(_ found: ListPart<KindStatus>, _ look: Look) -> [Section] {
        let rows = found.rows.map { kind -> [Markup] in
            let name = kind.kind.rawValue
            let isPaused = kind.pausedAt != nil
            let state: Markup =
                isPaused
                ? "\(Markup.badge("paused", .doubt)) by \(kind.pausedBy ?? "someone")"
                : "\(Markup.badge("open"))"
            let reason: Markup = kind.reason.map { " <span class=\"soft\">\($0)</span>" } ?? ""
            let verb = VerbButton(
                title: isPaused ? "Resume" : "Pause",
                address: look.links.to("kinds", name, isPaused ? "resume" : "pause"))
            return [
                Markup.link(name, to: look.links.to("jobs", query: [("kind", name)])),
                "\(state)\(reason)", "\(kind.due)", "\(kind.running)", "\(kind.later)",
                "\(kind.waiting)", "\(kind.held)", "\(kind.workers)", "\(kind.deaths)",
                look.verb(verb),
            ]
        }
        let table = ListTable(
            caption: "Kinds of jobs; deaths are processes that died lately while they ran one",
            columns: [
                .init("kind"), .init("state"), .init("due", isNumber: true),
                .init("running", isNumber: true), .init("later", isNumber: true),
                .init("waiting", isNumber: true), .init("held", isNumber: true),
                .init("workers", isNumber: true), .init("deaths", isNumber: true),
                .init(look.mayAct ? "do" : ""),
            ], rows: rows, none: "No job and no worker names a kind.")
        return [Section(id: "kinds", body: "\(table.markup)\(place.pages(found.next, look))")]
    }
}
