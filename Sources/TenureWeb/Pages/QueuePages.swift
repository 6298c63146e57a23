import Tenure
import TenureFoundation

/// All queues, and what is in them.
struct QueuesPage: Page {
    let tab: Tab? = .queues
    let title = "Queues"

    let place: ListPlace<NameKey>
    let counting: Counting

    init(_ query: Query) throws {
        counting = try Counting(query)
        place = try ListPlace(query, at: "queues", keeping: [Counting.name])
    }

    func look(_ look: Look) async throws -> ListPart<QueueStatus> {
        let found = try await counting.queues(
            after: place.after?.name ?? "", limit: place.limit, look.inspector)
        return place.part(found, look) { NameKey($0.name.rawValue) }
    }

    func sections(_ found: ListPart<QueueStatus>, _ look: Look) -> [Section] {
        let table = Self.table(found.rows, look)
        let all = counting.note(
            found.rows.contains(where: \.isAtLeast), place.address(Counting.wholly, look))
        return [Section(id: "queues", body: "\(table)\(all)\(place.pages(found.next, look))")]
    }

    static func table(_ queues: [QueueStatus], _ look: Look) -> Markup {
        let links = look.links
        let rows = queues.map { queue -> [Markup] in
            let name = queue.name.rawValue
            return [Markup.link(name, to: links.to("queues", name)), state(queue)]
                + queue.cells([("queue", name)], links) + ["\(queue.workers)", age(queue)]
        }
        return ListTable(
            caption: "Queues",
            columns: [.init("queue"), .init("state")] + JobCounts.columns() + [
                .init("workers", isNumber: true), .init("oldest due"),
            ], rows: rows, none: "No queue has a job, a worker or a setting."
        ).markup
    }

    /// Of a job that is due; one that was not counted may be older.
    private static func age(_ queue: QueueStatus) -> Markup {
        let isAtLeast = queue.oldestDue != nil && queue.pendingIsAtLeast
        return "\(Markup.age(queue.oldestDue))\(isAtLeast ? "+" : "")"
    }

    static func state(_ queue: QueueStatus) -> Markup {
        if queue.pausedAt == nil { return Markup.badge("open") }
        return "\(Markup.badge("paused", .doubt)) by \(queue.pausedBy ?? "someone")"
    }
}

/// One queue: why its jobs wait, and what they do, by kind.
struct QueuePage: Page {
    struct Found: Encodable, Sendable {
        let queue: QueueStatus
        let delays: [JobDelay]
        let kinds: [QueueKind]
    }
    let name: String
    let counting: Counting
    let tab: Tab? = .queues
    let asksWhy = true
    var title: String { "Queue \(name)" }

    init(name: String, _ query: Query) throws {
        self.name = name
        counting = try Counting(query)
    }

    func look(_ look: Look) async throws -> Found {
        let (inspector, bound) = (look.inspector, counting.rowBound)
        guard
            let queue = try await inspector.queue(QueueName(name), countingTo: counting.bound)
        else {
            throw NotThere(
                description: "There is no queue \(name): it has no job, worker or setting.")
        }
        let kinds = try await inspector.kinds(of: queue.name, countingTo: bound)
        let delays = try await inspector.delays(
            of: queue, kinds, looksAtAllLanes: counting.isWhole)
        return Found(queue: queue, delays: delays, kinds: kinds)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let queue = found.queue
        var facts = Facts()
        facts.add("state", QueuesPage.state(queue))
        facts.add("paused", queue.pausedAt.map { Markup.moment($0) })
        facts.add("runs at most", text: queue.maxRunning.map { "\($0) at a time" })
        facts.add("pause between starts", queue.minInterval.map { Markup.duration($0) })
        facts.add("goes to the front when due for", queue.ageAfter.map { Markup.duration($0) })
        facts.add("capacity", text: queue.capacity.map { "\($0) waiting" })
        facts.add("oldest due", queue.oldestDue.map { Markup.moment($0) })
        let address = { look.links.to("queues", name, $0) }
        let verb =
            queue.pausedAt == nil
            ? VerbButton(title: "Pause: start no more jobs", address: address("pause"))
            : VerbButton(title: "Resume", address: address("resume"))
        let kinds = found.kinds.map { ("kind \($0.kind)", look.links.to("kinds")) }
        let why = DelayList(found.delays, of: "its due jobs", names: kinds, look.links)
        return [
            Section(id: "why", body: why.markup),
            Section(
                id: "facts",
                body: "\(QueuesPage.table([queue], look))\(facts.markup)\(look.verbs([verb]))"),
            Section(id: "kinds", body: self.kinds(found, look.links)),
        ]
    }

    private func kinds(_ found: Found, _ links: Links) -> Markup {
        let rows = found.kinds.map { kind -> [Markup] in
            let filters: [(String, String?)] = [
                ("queue", name), ("kind", kind.kind.rawValue),
            ]
            return [Markup.link(kind.kind.rawValue, to: links.to("jobs", query: filters))]
                + kind.cells(claimed: kind.claimed, filters, links)
        }
        let table = ListTable(
            caption: "Its unfinished jobs, by kind",
            columns: [.init("kind")] + JobCounts.columns(claimed: true),
            rows: rows, none: "It has no unfinished job.")
        let isAtLeast = found.queue.isAtLeast || found.kinds.contains(where: \.isAtLeast)
        let all = counting.note(
            isAtLeast, links.to(["queues", name], [Counting.wholly]),
            "Kinds whose jobs are behind the first \(Counting.mostRows) may be missing. ")
        return "\(table.markup)\(all)"
    }
}
