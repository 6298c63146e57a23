import Tenure
import TenureFoundation

/// Trees of jobs that are counted and ended as one.
struct BatchesPage: Page {
    let tab: Tab? = .batches
    let title = "Batches"

    let place: ListPlace<UUID>

    init(_ query: Query) throws { place = try ListPlace(query, at: "batches") }

    /// What has ended of a batch is counted on its own page alone: here it would cost a look into
    /// history for each.
    struct Line: Encodable, Sendable {
        let batch: BatchStatus

        func encode(to encoder: any Encoder) throws {
            let progress = batch.progress
            try encoder.write([
                "id": batch.id, "state": progress.state, "unfinished": progress.unfinished,
                "running": progress.running, "held": progress.held,
                "startedAt": progress.startedAt, "endedAt": progress.endedAt,
            ])
        }
    }

    func look(_ look: Look) async throws -> ListPart<Line> {
        let batches = try await look.inspector.batches(before: place.after, limit: place.limit)
        return place.part(batches.map(Line.init), look) { $0.batch.id }
    }

    func sections(_ found: ListPart<Line>, _ look: Look) -> [Section] {
        let rows = found.rows.map(\.batch).map { batch -> [Markup] in
            let id = batch.id.uuidString.lowercased()
            let progress = batch.progress
            return [
                Markup.link(id, to: look.links.to("batches", id)), Self.state(progress.state),
                "\(progress.unfinished)", "\(progress.running)", Markup.age(progress.startedAt),
                Markup.age(progress.endedAt),
            ]
        }
        let table = ListTable(
            caption: "Batches, the newest first",
            columns: [
                .init("batch"), .init("state"), .init("unfinished", isNumber: true),
                .init("running", isNumber: true), .init("started"), .init("ended"),
            ], rows: rows, none: "There is no batch, or they ended long ago.")
        return [Section(id: "batches", body: "\(table.markup)\(place.pages(found.next, look))")]
    }

    static func state(_ state: BatchState) -> Markup {
        switch state {
        case .open: Markup.badge("open")
        case .cancelling: Markup.badge("cancelling", .doubt)
        case .cancelled: Markup.badge("cancelled", .doubt)
        case .ended: Markup.badge("ended", .good)
        }
    }
}

/// One of them.
struct BatchPage: Page {
    let id: UUID
    private var name: String { id.uuidString.lowercased() }
    let tab: Tab? = .batches
    let asksWhy = true
    var title: String { "Batch \(name)" }

    init(id: UUID) { self.id = id }

    func look(_ look: Look) async throws -> BatchProgress {
        guard let progress = try await look.inspector.progress(ofBatch: id) else {
            throw NotThere(description: "There is no batch \(name), or it ended long ago.")
        }
        return progress
    }

    func sections(_ found: BatchProgress, _ look: Look) -> [Section] {
        func jobs(_ number: Int, _ states: [String]) -> Markup {
            Markup.count(
                number,
                look.links.to("jobs", query: [("batch", name)] + states.map { ("state", $0) }))
        }
        var facts = Facts()
        facts.add("state", BatchesPage.state(found.state))
        facts.add("unfinished", jobs(found.unfinished, []))
        facts.add("running", jobs(found.running, ["running"]))
        facts.add("held", jobs(found.held, ["held"]))
        facts.add("completed", jobs(found.completed, ["completed"]))
        facts.add("cancelled", jobs(found.cancelled, ["cancelled"]))
        facts.add("superseded", jobs(found.superseded, ["superseded"]))
        facts.add("discarded", jobs(found.discarded, ["discarded"]))
        facts.add("started", Markup.moment(found.startedAt))
        facts.add("ended", found.endedAt.map { Markup.moment($0) })
        facts.add("cancelled by", text: found.cancelledBy)
        facts.add("its follow-up was refused", text: found.followUpRefused)
        let share = found.total == 0 ? 0 : (found.total - found.unfinished) * 100 / found.total
        let bar: Markup = """
            <p><label>\("\(found.total - found.unfinished) of \(found.total) jobs have ended")
            <progress max="100" value="\(share)">\(share) %</progress></label></p>
            """
        let cancel = VerbButton(
            title: "Cancel what is left", address: look.links.to("batches", name, "cancel"),
            isGrave: true)
        let verbs = look.verbs(found.state == .open ? [cancel] : [])
        return [Section(id: "batch", body: "\(bar)\(facts.markup)\(verbs)")]
    }
}
