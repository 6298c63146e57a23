import Tenure
import TenureFoundation

/// Workers and coordinators: those that live, and the latest that ended.
struct WorkersPage: Page {
    let tab: Tab? = .workers
    let title = "Workers"
    let place: ListPlace<TimedPlace<SessionID>>

    init(_ query: Query) throws { place = try ListPlace(query, at: "workers") }

    func look(_ look: Look) async throws -> ListPart<SessionStatus> {
        let sessions = try await look.inspector.sessions(after: place.after, limit: place.limit)
        return place.part(sessions, look) { $0.place }
    }

    func sections(_ found: ListPart<SessionStatus>, _ look: Look) -> [Section] {
        let rows = found.rows.map { session -> [Markup] in
            let queues = session.queues.prefix(5).map(\.rawValue).joined(separator: ", ")
            let more = session.queues.count > 5 ? " and \(session.queues.count - 5) more" : ""
            return [
                Markup.link(session.name, to: look.links.to("workers", "\(session.id)")),
                "\(session.role)\(session.leads ? ", leads" : "")", Self.state(session),
                "\(session.running)", "\(session.claimed)", Self.beat(session),
                Markup.duration(session.lease), Markup.age(session.startedAt), "\(queues)\(more)",
                "\(session.version)",
            ]
        }
        let table = ListTable(
            caption:
                "Workers and coordinators; a lease ends when the beat is older than it",
            columns: [
                .init("name"), .init("role"), .init("state"), .init("running", isNumber: true),
                .init("claimed", isNumber: true), .init("last beat"), .init("lease"),
                .init("started"), .init("queues"), .init("release"),
            ], rows: rows, none: "No worker and no coordinator runs. Start one with: tenure worker")
        return [Section(id: "workers", body: "\(table.markup)\(place.pages(found.next, look))")]
    }

    static func state(_ session: SessionStatus) -> Markup {
        switch session.state {
        case .live: Markup.badge("live", .good)
        case .silent: Markup.badge("silent", .bad)
        case .dead: Markup.badge("dead", .bad)
        case .stopping: Markup.badge("stopping", .doubt)
        case .closed: Markup.badge("closed")
        }
    }

    static func beat(_ session: SessionStatus) -> Markup {
        session.endedAt == nil
            ? "\(Markup.duration(session.sinceBeat)) ago" : "ended \(Markup.age(session.endedAt))"
    }
}

/// One of them, with what it runs.
struct WorkerPage: Page {
    struct Found: Encodable, Sendable {
        let session: SessionStatus
        let runs: [SessionRun]
        @OrNull var next: String?
    }
    let id: SessionID
    /// Of what it runs, by fences.
    let place: ListPlace<Int64>
    let tab: Tab? = .workers
    let asksWhy = true
    var title: String { "Session \(id)" }

    init(_ id: SessionID, _ query: Query) throws {
        self.id = id
        place = try ListPlace(query, at: "workers", "\(id)")
    }

    func look(_ look: Look) async throws -> Found {
        let all = try await look.inspector.sessions(ended: true, limit: 10_000)
        guard let session = all.first(where: { $0.id == id }) else {
            throw NotThere(description: "There is no session \(id), or it is forgotten.")
        }
        let runs = try await look.inspector.runs(of: id, after: place.after, limit: place.limit)
        let part = place.part(runs, look) { $0.fence.rawValue }
        return Found(session: session, runs: part.rows, next: part.next)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let session = found.session
        var facts = Facts()
        facts.add("name", text: session.name)
        facts.add("role", text: session.role)
        facts.add("state", WorkersPage.state(session))
        facts.add("stop asked by", text: session.stopBy)
        facts.add("leads", text: session.leads ? "yes" : nil)
        facts.add("last beat", WorkersPage.beat(session))
        facts.add("lease", Markup.duration(session.lease))
        facts.add("started", Markup.moment(session.startedAt))
        facts.add("ended", session.endedAt.map { Markup.moment($0) })
        facts.add("release", text: session.version)
        facts.add("queues", text: session.queues.map(\.rawValue).joined(separator: ", "))
        facts.add("kinds", text: session.kinds.map(\.rawValue).joined(separator: ", "))
        let stop = VerbButton(
            title: "Ask it to stop", address: look.links.to("workers", "\(id)", "stop"),
            isGrave: true)
        let rows = found.runs.map { run -> [Markup] in
            let state: Markup =
                run.isCancelling
                ? "told to stop" : run.hasBegun ? "runs" : "waits for a slot"
            return [
                Markup.link("\(run.id)", to: look.links.to("jobs", "\(run.id)")),
                "\(run.kind)", "\(run.queue)", Markup.optional(run.key), "\(run.attempt)",
                "\("\(run.fence)")", state, Markup.age(run.claimedAt),
            ]
        }
        let table = ListTable(
            caption: "What it runs, or has claimed to run it",
            columns: [
                .init("job"), .init("kind"), .init("queue"), .init("key"),
                .init("attempt", isNumber: true), .init("fence", isNumber: true), .init("state"),
                .init("claimed"),
            ], rows: rows, none: "It runs nothing.")
        let verbs = look.verbs(session.endedAt == nil ? [stop] : [])
        return [
            Section(id: "facts", body: "\(facts.markup)\(verbs)"),
            Section(id: "runs", body: "\(table.markup)\(place.pages(found.next, look))"),
        ]
    }
}
