import Tenure
import TenureFoundation

/// How the whole is, at one look.
struct OverviewPage: Page {
    struct Found: Encodable, Sendable {
        let queues: [QueueStatus]
        let hasMoreQueues: Bool
        let sessions: [SessionStatus]
        let pausedKinds: [PausedKind]
        let rates: [RateLog.Rate]
        let findings: [Finding]
    }
    /// Something that isn't as it should be, and where to look.
    struct Finding: Encodable, Sendable {
        let text: String
        let path: [String]
    }

    let tab: Tab? = .overview
    let title = "Overview"

    func look(_ look: Look) async throws -> Found {
        let inspector = look.inspector
        let queues = try await Counting().queues(after: "", limit: ListLength.most + 1, inspector)
        let troubled = try await Self.troubled(behind: queues, inspector)
        let sessions = try await inspector.sessions()
        let paused = try await inspector.pausedKinds()
        let overdue = try await inspector.overdue()
        return Found(
            queues: Array(queues.prefix(ListLength.most)),
            hasMoreQueues: queues.count > ListLength.most, sessions: sessions, pausedKinds: paused,
            rates: try await look.rates.rates(reading: inspector),
            findings: Findings(queues + troubled, sessions, paused, overdue).all)
    }

    /// Of the queues behind those that are counted anyhow, as many as may be named yet.
    private static func troubled(
        behind queues: [QueueStatus], _ inspector: Inspector
    ) async throws -> [QueueStatus] {
        guard let last = queues.last, queues.count > ListLength.most else { return [] }
        func left(_ isTroubled: (QueueStatus) -> Bool) -> Int {
            max(0, Findings.most + 1 - queues.count(where: isTroubled))
        }
        let most = Troubles(
            unworked: left(\.isUnworked), held: left { $0.held > 0 },
            paused: left { $0.pausedAt != nil })
        let names = try await inspector.queuesInTrouble(most, after: last.name.rawValue)
        if names.isEmpty { return [] }
        return try await inspector.queues(names, countingTo: Counting.mostOfTroubled)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        [
            Section(id: "findings", body: findings(found, look.links)),
            Section(id: "figures", body: figures(found, look.links)),
            Section(id: "rates", body: rates(found)),
            Section(id: "queues", body: queues(found, look)),
        ]
    }

    private func queues(_ found: Found, _ look: Look) -> Markup {
        let isAtLeast = found.hasMoreQueues || found.queues.contains(where: \.isAtLeast)
        let note = Counting().note(
            isAtLeast, look.links.to(["queues"], [Counting.wholly]),
            found.hasMoreQueues ? "The figures are those of the queues below. " : "")
        let all: Markup =
            found.hasMoreQueues
            ? "<p>\(Markup.link("All queues", to: look.links.to("queues")))</p>" : ""
        return "\(QueuesPage.table(found.queues, look))\(note)\(all)"
    }

    private func findings(_ found: Found, _ links: Links) -> Markup {
        if found.findings.isEmpty {
            return "<p class=\"notice\">Nothing is paused, overdue or without a worker.</p>"
        }
        let lines = found.findings.map { finding -> Markup in
            "<li>\(Markup.link(links.redact(finding.text), to: links.to(finding.path)))</li>"
        }
        return "<h2>What wants a look</h2><div class=\"why\"><ul>\(lines)</ul></div>"
    }

    private func figures(_ found: Found, _ links: Links) -> Markup {
        let hasMore = found.hasMoreQueues
        let pending = hasMore || found.queues.contains(where: \.pendingIsAtLeast)
        let parked = hasMore || found.queues.contains(where: \.parkedIsAtLeast)
        func sum(
            _ number: KeyPath<QueueStatus, Int>, _ isAtLeast: Bool, _ address: String
        ) -> Markup {
            let all = found.queues.reduce(0) { $0 + $1[keyPath: number] }
            return Markup.count(all, address, isAtLeast: isAtLeast)
        }
        func jobs(_ name: String, _ value: String) -> String {
            links.to("jobs", query: [(name, value)])
        }
        let live = found.sessions.filter { $0.endedAt == nil }
        let workers = live.filter { $0.role == "worker" }.count
        let oldest = found.queues.compactMap(\.oldestDue).min()
        let figures: [(String, Markup)] = [
            ("due now", sum(\.due, pending, jobs("due", "now"))),
            ("running", sum(\.running, hasMore, jobs("state", "running"))),
            ("later", sum(\.later, pending, jobs("due", "later"))),
            ("wait for others", sum(\.waiting, parked, jobs("state", "waiting"))),
            ("held, as nobody can read them", sum(\.held, parked, jobs("state", "held"))),
            ("live workers", Markup.count(workers, links.to("workers"))),
            ("since when the oldest is due", Markup.age(oldest)),
        ]
        let items = figures.map { name, value -> Markup in
            "<li><strong>\(value)</strong> \(name)</li>"
        }
        return "<ul class=\"figures\">\(items)</ul>"
    }

    private func rates(_ found: Found) -> Markup {
        guard !found.rates.isEmpty else {
            return "<p class=\"soft\">Rates are counted from two looks on.</p>"
        }
        let plots = [
            Plot(title: "Enqueued", values: found.rates.map(\.enqueued)),
            Plot(title: "Ended", values: found.rates.map(\.ended)),
            Plot(title: "Failed attempts", values: found.rates.map(\.failedAttempts)),
            Plot(title: "Discarded", values: found.rates.map(\.discarded)),
        ]
        return "<div class=\"plots\">\(plots.map(\.markup))</div>"
    }
}

extension QueueStatus {
    fileprivate var isUnworked: Bool { due > 0 && workers == 0 }
}

/// What isn't as it should be, from the worst on.
private struct Findings {
    /// So many queues are named of a sort.
    static let most = 20
    var all: [OverviewPage.Finding] = []

    init(
        _ queues: [QueueStatus], _ sessions: [SessionStatus], _ paused: [PausedKind],
        _ overdue: Overdue
    ) {
        let live = sessions.filter { $0.endedAt == nil }
        if !live.contains(where: \.leads) {
            add("No coordinator leads: schedules don't fire, and history isn't swept", "workers")
        }
        for session in sessions where session.state == .silent {
            add(
                "\(session.role) \(session.name) is silent, and about to be declared dead",
                "workers")
        }
        if let session = overdue.diedSession {
            let who = CountText.of(overdue.died, "session")
            add(
                "\(who) died in the last hour, the latest here: no beat for a whole lease",
                "workers", "\(session)")
        }
        name(queues.filter(\.isUnworked), "have due jobs, and no live worker") {
            let due = Markup.figure($0.due, isAtLeast: $0.pendingIsAtLeast)
            return "\($0.name): \(due) due, and no live worker"
        }
        name(queues.filter { $0.pausedAt != nil }, "are paused") {
            "\($0.name) is paused by \($0.pausedBy ?? "someone")"
        }
        for kind in paused {
            let reason = kind.reason.map { ": \($0)" } ?? ""
            add("\(kind.kind) is paused by \(kind.by ?? "someone")\(reason)", "kinds")
        }
        if let schedule = overdue.schedule {
            add("\(overdue.schedules) schedules are overdue, \(schedule) first", "schedules")
        }
        if let job = overdue.cancelledJob {
            add("\(overdue.cancelled) cancelled runs go on for over a minute", "jobs", "\(job)")
        }
        if let job = overdue.strandedJob {
            add("\(overdue.stranded) jobs wait for a run that is over", "jobs", "\(job)")
        }
        name(queues.filter { $0.held > 0 }, "have held jobs") {
            let held = Markup.figure($0.held, isAtLeast: $0.parkedIsAtLeast)
            return "\($0.name): \(held) held, as nobody can read them"
        }
    }

    /// The first of these queues, and whether there are more.
    private mutating func name(
        _ queues: [QueueStatus], _ what: String, _ words: (QueueStatus) -> String
    ) {
        for queue in queues.prefix(Self.most) {
            add(words(queue), "queues", queue.name.rawValue)
        }
        if queues.count > Self.most { add("More queues than these \(what)", "queues") }
    }

    private mutating func add(_ text: String, _ path: String...) {
        all.append(.init(text: text, path: path))
    }
}
