import Tenure
import TenureFoundation

/// The lanes of a queue that have something in them, or a limit that somebody set.
struct LanesPage: Page {
    struct Found: Encodable, Sendable {
        let rows: [LaneStatus]
        @OrNull var next: String?
        /// Those that have lanes, the first hundred by name.
        let queues: [QueueName]
    }
    let queue: String
    let prefix: String
    let tab: Tab? = .lanes
    let asksWhy = true
    var title: String { "Lanes of \(queue)" }
    let place: ListPlace<NameKey>

    init(_ query: Query) throws {
        place = try ListPlace(query, at: "lanes", keeping: ["queue", "prefix"])
        queue = query["queue"] ?? QueueName.default.rawValue
        prefix = query["prefix"] ?? ""
    }

    var head: (Links) -> Markup {
        { links in
            """
            <form class="filter" method="get" action="\(links.to("lanes"))" role="search">
            <label>queue<input name="queue" value="\(queue)" autocomplete="off"></label>
            <label>name begins with<input name="prefix" value="\(prefix)" autocomplete="off">
            </label><button type="submit">Show</button></form>
            """
        }
    }

    func look(_ look: Look) async throws -> Found {
        let lanes = try await Lanes(client: look.client, queue: QueueName(queue)).list(
            prefix: prefix, onlyBusy: prefix.isEmpty, after: place.after?.name, limit: place.limit)
        let part = place.part(lanes, look) { NameKey($0.name) }
        let queues = try await Lanes.queues(limit: ListLength.most, look.client)
        return Found(rows: part.rows, next: part.next, queues: queues)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let queues = found.queues.map { name -> Markup in
            name.rawValue == queue
                ? "<strong>\(name)</strong>"
                : Markup.link(
                    name.rawValue, to: look.links.to("lanes", query: [("queue", name.rawValue)]))
        }
        let others: Markup =
            queues.isEmpty ? "" : "<p>Queues that have lanes: \(Markup.joined(queues))</p>"
        let rows = found.rows.map { lane -> [Markup] in
            var why: [Markup] = []
            if let until = lane.heldUntil {
                let reason = lane.holdReason.map { ": \(look.settings.redact($0))" } ?? ""
                why.append(
                    """
                    \(Markup.badge("on hold", .doubt)) by \(lane.heldBy ?? "a job")\(reason), \
                    until \(Markup.age(until))
                    """
                )
            }
            if let opens = lane.opensAt { why.append("its next start is \(Markup.age(opens))") }
            if let job = lane.behind {
                let link = Markup.link("\(job)", to: look.links.to("jobs", "\(job)"))
                why.append("in strict order behind \(link)")
            } else if let most = lane.maxRunning, lane.running >= most {
                why.append("full")
            }
            let verb = VerbButton(
                title: lane.heldUntil == nil ? "Hold for an hour" : "Release",
                address: look.links.to(
                    "lanes", queue, lane.name, lane.heldUntil == nil ? "hold" : "release"))
            return [
                "\(lane.name)", "\(lane.due)", "\(lane.later)", "\(lane.running)",
                Markup.optional(lane.maxRunning.map { "\($0)" }),
                "\(Markup.duration(lane.minInterval))\(PaceText.atOnce(lane.burst))",
                why.isEmpty ? "open" : Markup.joined(why, "; "), look.verb(verb),
            ]
        }
        let table = ListTable(
            caption: "Lanes, by name",
            columns: [
                .init("lane"), .init("due", isNumber: true), .init("later", isNumber: true),
                .init("running", isNumber: true), .init("at most", isNumber: true),
                .init("pause between starts"), .init("state"), .init(look.mayAct ? "do" : ""),
            ], rows: rows,
            none: "No lane of this queue has a job, a hold or a limit that somebody set.")
        let body: Markup = "\(others)\(table.markup)\(place.pages(found.next, look))"
        return [Section(id: "lanes", body: body)]
    }
}
