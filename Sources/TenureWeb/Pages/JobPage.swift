import Tenure
import TenureFoundation

/// The whole story of a job, and why it waits, first of all.
struct JobPage: Page {
    struct Found: Encodable, Sendable {
        let job: JobDetail
        let delays: [JobDelay]
        let settings: ConsoleSettings

        func encode(to encoder: any Encoder) throws {
            let shows = settings.hidesPayloads ? nil : settings.redact
            try JobDocument(job: job, delays: delays, shows: shows).encode(to: encoder)
        }
    }
    let id: JobID
    let tab: Tab? = .jobs
    let asksWhy = true
    var title: String { "Job \(id)" }

    func look(_ look: Look) async throws -> Found {
        guard var job = try await look.inspector.job(id) else {
            throw NotThere(description: "There is no job \(id), or history has dropped it.")
        }
        if let own = look.settings.secretFields[job.summary.kind] {
            job.secretFields = job.secretFields.union(own)
        }
        return Found(
            job: job, delays: try await look.inspector.delays(of: job),
            settings: look.settings)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let job = found.job
        return [
            Section(
                id: "why",
                body: """
                    \(DelayList(found.delays, of: "it", names: names(job, look.links), look.links)
                        .markup)\(facts(job, look))
                    """),
            Section(id: "verbs-of-it", body: verbs(job.summary, look)),
            Section(id: "timeline", body: timeline(job, look)),
            Section(id: "log", body: log(job, look)),
            Section(id: "documents", body: documents(job, look)),
        ]
    }

    /// What may hold it up, as the lines about that name it.
    private func names(_ job: JobDetail, _ links: Links) -> [DelayList.Name] {
        let queue = job.summary.queue.rawValue
        var names = [
            ("queue \(queue)", links.to("queues", queue)),
            ("kind \(job.summary.kind)", links.to("kinds")),
        ]
        if let lane = job.lane {
            let query = [("queue", queue), ("prefix", lane)]
            names.append(("lane \(lane)", links.to("lanes", query: query)))
        }
        if let session = job.session, let worker = job.worker {
            names.append(("runs on \(worker)", links.to("workers", "\(session)")))
        }
        return names
    }

    private func facts(_ job: JobDetail, _ look: Look) -> Markup {
        let (summary, links) = (job.summary, look.links)
        func link(_ id: JobID?) -> Markup? {
            id.map { Markup.link("\($0)", to: links.to("jobs", "\($0)")) }
        }
        var facts = Facts()
        facts.add("state", JobsPage.state(summary))
        // An operator's name where one cancelled it, or ends it; words where it ended by itself.
        let isCancelled = summary.status == .cancelled || summary.isCancelling
        facts.add(
            isCancelled ? "by whom, or why" : "why", text: job.reason.map(look.settings.redact))
        facts.add(
            "kind",
            Markup.link(
                summary.kind.rawValue,
                to: links.to("jobs", query: [("kind", summary.kind.rawValue)])))
        facts.add(
            "queue",
            Markup.link(summary.queue.rawValue, to: links.to("queues", summary.queue.rawValue)))
        facts.add("priority", "\(Int(summary.priority))")
        facts.add("attempt", "\(summary.attempt) of \(summary.maxAttempts), in \(job.runs) runs")
        facts.add("lane", lane(job, links))
        facts.add(
            "key",
            summary.key.map { key in
                let address = links.to(
                    "keys", query: [("kind", summary.kind.rawValue), ("key", key)])
                return Markup.link(key, to: address)
            })
        facts.add("generation", text: summary.generation.map { "\($0.rawValue)" })
        facts.add("superseded by", link(job.supersededBy))
        facts.add("retry of", link(job.retryOf))
        facts.add("retried as", link(summary.retriedAs))
        facts.add("letter", link(job.letter))
        facts.add("tags", tags(job, links))
        facts.add("parent", link(job.parent))
        let batch = job.batch?.uuidString.lowercased()
        facts.add("batch", batch.map { Markup.link($0, to: links.to("batches", $0)) })
        facts.add("worker", worker(job, links))
        facts.add("lease", lease(job))
        facts.add("made", Markup.moment(summary.createdAt))
        facts.add("due", summary.finishedAt == nil ? Markup.moment(summary.runAt) : nil)
        facts.add("not after", summary.notAfter.map { Markup.moment($0) })
        facts.add("trace", text: job.trace)
        facts.add("progress", job.progress.map { progress($0, look) })
        return facts.markup
    }

    private func lane(_ job: JobDetail, _ links: Links) -> Markup? {
        job.lane.map { lane in
            let query = [("queue", job.summary.queue.rawValue), ("prefix", lane)]
            return Markup.link(lane, to: links.to("lanes", query: query))
        }
    }

    private func tags(_ job: JobDetail, _ links: Links) -> Markup? {
        if job.tags.isEmpty { return nil }
        let tags = job.tags.map {
            Markup.link($0, to: links.to("jobs", query: [("tag", $0), ("finished", "1")]))
        }
        return Markup.joined(tags, ", ")
    }

    private func progress(_ progress: ReportedProgress, _ look: Look) -> Markup {
        "\(look.settings.redact(ProgressText.text(progress)))"
    }

    private func worker(_ job: JobDetail, _ links: Links) -> Markup? {
        guard let session = job.session else { return nil }
        let name = Markup.link(job.worker ?? "forgotten", to: links.to("workers", "\(session)"))
        let fence = job.fence.map { ", fence \($0)" } ?? ""
        return "\(name) (session \("\(session)")\(fence))"
    }

    private func lease(_ job: JobDetail) -> Markup? {
        guard job.summary.status == .running, let lease = job.lease, let beat = job.sinceBeat
        else { return nil }
        let state = beat > lease ? ": silent, and about to be declared dead" : ""
        return "\(Markup.duration(lease)), last beat \(Markup.duration(beat)) ago\(state)"
    }

    private func verbs(_ job: JobSummary, _ look: Look) -> Markup {
        let verbs: [JobVerb] =
            job.status.isFinished
            ? [.retry, .delete] : job.status == .running ? [.cancel] : [.retry, .cancel, .discard]
        let buttons = look.verbs(
            verbs.map { verb in
                let title =
                    switch verb {
                    case .retry: job.status.isFinished ? "Run it again" : "Run it now"
                    case .cancel: job.status == .running ? "Tell it to stop" : "Cancel it"
                    case .discard: "Give it up"
                    case .delete: "Delete it from history"
                    }
                return VerbButton(
                    title: title, address: look.links.to("jobs", "\(id)", verb.rawValue),
                    isGrave: verb == .delete || verb == .discard)
            })
        let actions = Markup.link(
            "Who did what to it", to: look.links.to("actions", query: [("job", "\(id)")]))
        guard look.mayAct, !job.status.isFinished, job.status != .running else {
            return "\(buttons)<p>\(actions)</p>"
        }
        let edit = Markup.link("Edit it", to: look.links.to(EditPage.path(id)))
        return "\(buttons)<p>\(edit) · \(actions)</p>"
    }

    private func timeline(_ job: JobDetail, _ look: Look) -> Markup {
        let rows = JobTimeline(job).lines.map { line -> [Markup] in
            [Markup.moment(line.at), "\(look.settings.redact(line.what))"]
        }
        return ListTable(
            caption: "What happened to it", columns: [.init("when"), .init("what")], rows: rows,
            none: "Nothing is known of it."
        ).markup
    }

    private func log(_ job: JobDetail, _ look: Look) -> Markup {
        if job.log.isEmpty || look.settings.hidesPayloads { return "" }
        let rows = job.log.map { line -> [Markup] in
            [line.at.map { Markup.moment($0) } ?? "–", "\(line.text(look.settings.redact))"]
        }
        return ListTable(
            caption: "The last lines that its runs have logged",
            columns: [.init("when"), .init("line")], rows: rows, none: ""
        ).markup
    }

    private func documents(_ job: JobDetail, _ look: Look) -> Markup {
        let version = job.payloadVersion == 1 ? "" : ", version \(job.payloadVersion)"
        let payload: Markup = look.document(job.shownPayload, "Payload") ?? ""
        let result: Markup =
            look.document(job.shownResult, "Result").map { "<h2>Result</h2>\($0)" } ?? ""
        return "<h2>Payload\(version)</h2>\(payload)\(result)"
    }
}
