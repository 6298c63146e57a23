import Tenure
import TenureFoundation

/// Who did what, the latest first.
struct ActionsPage: Page {
    let filter: ActionFilter
    let place: ListPlace<TimedPlace<UUID>>
    let query: Query
    let tab: Tab? = .actions
    let title = "Actions"

    /// - Throws: `BadFilter`.
    init(_ query: Query) throws {
        self.query = query
        (filter, place) = try BadFilter.keeping(
            .actions, "Actions", form: { Self.form(query, $0) },
            reading: { try Self.read(query) })
    }

    private static func read(
        _ query: Query
    ) throws -> (ActionFilter, ListPlace<TimedPlace<UUID>>) {
        var filter = ActionFilter()
        let place = try ListPlace<TimedPlace<UUID>>(
            query, at: "actions", keeping: ["verb", "by", "since", "job"])
        (filter.verb, filter.whom) = (query["verb"], query["by"])
        (filter.after, filter.limit) = (place.after, place.limit)
        if let since = query["since"] {
            guard let span = DurationText.parse(since) else {
                throw BadRequest(
                    "since is \"\(since.prefix(100))\"; give a length such as 2h or 1d")
            }
            filter.since = span
        }
        if let job = query["job"] {
            guard let id = JobID(job) else {
                throw BadRequest("job is \"\(job.prefix(100))\"; give a job's id")
            }
            filter.job = id
        }
        return (filter, place)
    }

    var head: (Links) -> Markup { { Self.form(query, $0) } }

    private static func form(_ query: Query, _ links: Links) -> Markup {
        let fields = ["verb", "by", "since", "job"].map { name -> Markup in
            """
            <label>\(name)<input name="\(name)" value="\(query[name] ?? "")" \
            autocomplete="off"></label>
            """
        }
        return """
            <form class="filter" method="get" action="\(links.to("actions"))" role="search">
            \(fields)<button type="submit">Show</button></form>
            """
    }

    func look(_ look: Look) async throws -> ListPart<OperatorAction> {
        place.part(try await look.inspector.actions(filter), look) { $0.place }
    }

    func sections(_ found: ListPart<OperatorAction>, _ look: Look) -> [Section] {
        let rows = found.rows.map { action -> [Markup] in
            [
                Markup.moment(action.lastAt), "\(action.whom)",
                "\(action.source.rawValue), as \(action.role)", "\(action.verb)",
                "<span class=\"long\">\(subject(of: action, look))</span>",
                action.jobs.map { "\($0)" } ?? "–",
                Markup.optional(action.reason.map(look.settings.redact)),
            ]
        }
        let table = ListTable(
            caption: "What was done; a bulk is one row",
            columns: [
                .init("when"), .init("by"), .init("from"), .init("did"), .init("to"),
                .init("jobs", isNumber: true), .init("because"),
            ], rows: rows, none: "Nobody has done anything, as far as it is kept.")
        return [Section(id: "actions", body: "\(table.markup)\(place.pages(found.next, look))")]
    }

    private func subject(of action: OperatorAction, _ look: Look) -> Markup {
        let text = look.settings.redact(action.subject)
        guard let job = action.onlyJob else { return "\(text)" }
        return Markup.link(text, to: look.links.to("jobs", job))
    }
}
