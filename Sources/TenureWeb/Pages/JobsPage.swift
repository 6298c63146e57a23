import Tenure
import TenureFoundation

/// Jobs that match, the newest first, a hundred at a time.
struct JobsPage: Page {
    let filter: JobFilter
    let place: ListPlace<JobID>
    /// As it stands in the address.
    let query: Query
    let tab: Tab? = .jobs
    let asksWhy = true
    let title = "Jobs"

    /// - Throws: `BadFilter`.
    init(_ query: Query) throws {
        self.query = query
        (filter, place) = try BadFilter.keeping(
            .jobs, "Jobs", form: { JobQuery.form(query, $0) },
            reading: {
                let filter = try JobQuery.filter(query)
                return (filter, try ListPlace(query, at: "jobs", keeping: JobQuery.names))
            })
    }

    var head: (Links) -> Markup { { "\(JobQuery.form(query, $0))\(Self.finder($0))" } }

    /// Opens a job by its id, which somebody was told.
    private static func finder(_ links: Links) -> Markup {
        """
        <form class="filter" method="get" action="\(links.to(path))">
        <label>a job’s id<input name="id" size="36" autocomplete="off" required></label>
        <button type="submit">Open</button></form>
        """
    }

    static let path = ["jobs", "find"]

    func look(_ look: Look) async throws -> ListPart<JobSummary> {
        var filter = filter
        (filter.before, filter.limit) = (place.after, place.limit)
        return place.part(try await look.inspector.jobs(filter), look) { $0.id }
    }

    func sections(_ found: ListPart<JobSummary>, _ look: Look) -> [Section] {
        let links = look.links
        let buttons = JobVerb.allCases.map { verb in
            VerbButton(
                title: "\(verb.title) chosen", address: links.to("jobs", verb.rawValue),
                isGrave: verb == .delete || verb == .discard)
        }
        // Reason for `try?`: a verb that wants another filter first is not offered.
        let fitting = JobVerb.allCases.filter { (try? BulkPage.filter($0, query)) != nil }
        let all = fitting.map { verb -> Markup in
            Markup.link(
                "\(verb.title) all that match …",
                to: links.to("jobs", verb.rawValue, query: JobQuery.pairs(query)))
        }
        let verbs: Markup =
            look.mayAct && !found.rows.isEmpty
            ? "\(look.verbs(buttons))<p>\(all.isEmpty ? "" : Markup.joined(all, " · "))</p>" : ""
        let new: Markup =
            look.mayAct
            ? "<p>\(Markup.link("Enqueue a job", to: links.to(EnqueuePage.path)))</p>" : ""
        let table = Self.table(found.rows, look, choose: look.mayAct)
        let ended: Markup =
            found.rows.isEmpty && !filter.asksHistory
            ? "<p>\(Markup.link("Look among those that have ended, too", to: withEnded(links)))</p>"
            : ""
        let pages = place.pages(found.next, look)
        return [Section(id: "jobs", body: "\(table)\(ended)\(pages)\(verbs)\(new)")]
    }

    private func withEnded(_ links: Links) -> String {
        links.to("jobs", query: JobQuery.pairs(query) + [("finished", "1")])
    }

    /// - Parameter choose: whether some of them can be chosen, for a verb.
    static func table(_ jobs: [JobSummary], _ look: Look, choose: Bool = false) -> Markup {
        let rows = jobs.map { job -> [Markup] in
            let box: Markup =
                choose
                ? """
                <input type="checkbox" form="\(VerbButton.form)" name="job" value="\(job.id)" \
                aria-label="choose \(job.id)">
                """ : ""
            let address = look.links.to("jobs", "\(job.id)")
            let when = job.finishedAt ?? (job.status == .running ? job.claimedAt : job.runAt)
            return [
                "\(box) <a href=\"\(address)\">\(Markup.code(short(job.id)))</a>",
                Markup.link(
                    job.kind.rawValue,
                    to: look.links.to("jobs", query: [("kind", job.kind.rawValue)])),
                "\(state(job))\(retried(job, look.links))",
                Markup.link(
                    job.queue.rawValue, to: look.links.to("queues", job.queue.rawValue)),
                key(job, look.links), "\(job.attempt) of \(job.maxAttempts)", Markup.age(when),
                Markup.age(job.createdAt),
            ]
        }
        return ListTable(
            caption: "Jobs, the newest first",
            columns: [
                .init("job"), .init("kind"), .init("state"), .init("queue"), .init("key"),
                .init("attempt", isNumber: true), .init("due, begun or ended"), .init("made"),
            ], rows: rows, none: "No job matches."
        ).markup
    }

    static func state(_ job: JobSummary) -> Markup {
        if job.isCancelling { return "\(Markup.badge(job.status)) told to stop" }
        return job.isOnlyClaimed ? "\(Markup.badge("claimed"))" : Markup.badge(job.status)
    }

    private static func retried(_ job: JobSummary, _ links: Links) -> Markup {
        guard let next = job.retriedAs else { return "" }
        let link = Markup.link(short(next), to: links.to("jobs", "\(next)"))
        return ", run again as \(link)"
    }

    static func key(_ job: JobSummary, _ links: Links) -> Markup {
        guard let key = job.key else { return "–" }
        let address = links.to("keys", query: [("kind", job.kind.rawValue), ("key", key)])
        let generation = job.generation.map { " (\($0.rawValue))" } ?? ""
        let shown = key.count > longestKey ? String(key.prefix(longestKey)) + "…" : key
        return "<span class=\"long\">\(Markup.link(shown, to: address))\(generation)</span>"
    }

    /// Of a key in a list: the job's own page has it whole.
    private static let longestKey = 80

    /// Its end: ids of jobs that were made together begin alike.
    private static func short(_ id: JobID) -> String { "…" + "\(id)".suffix(12) }
}

extension JobVerb {
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// Which jobs, as an address says it.
enum JobQuery {
    /// Whether their time to run has come.
    enum Due: String, CaseIterable { case now, later }

    static let names = [
        "state", "due", "kind", "queue", "key", "batch", "error", "older-than", "tag", "where",
        "finished",
    ]
    /// What may be given several times.
    private static let repeated: Set = ["state", "tag", "where"]

    static func pairs(_ query: Query) -> [(String, String?)] {
        query.pairs.filter { names.contains($0.name) && !$0.value.isEmpty }
            .map { ($0.name, $0.value) }
    }

    /// - Throws: `BadRequest`: what isn't understood would name more jobs than somebody meant.
    static func filter(_ query: Query) throws -> JobFilter {
        for (name, count) in Dictionary(query.pairs.map { ($0.name, 1) }, uniquingKeysWith: +) {
            guard names.contains(name) || ListParameter(rawValue: name) != nil else {
                let known = names.joined(separator: ", ")
                throw BadRequest("\"\(name.prefix(100))\" is not known here; known are \(known)")
            }
            guard count == 1 || repeated.contains(name) else {
                throw BadRequest("\(name) is given \(count) times; give it once")
            }
        }
        guard ["", "1"].contains(query["finished"] ?? "") else {
            throw BadRequest("finished is \"\(query["finished"] ?? "")\"; give 1, or leave it out")
        }
        var filter = JobFilter()
        filter.states = Set(
            try query.all("state").filter { !$0.isEmpty }.map { text in
                guard let status = JobStatus(rawValue: text) else {
                    let known = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
                    throw BadRequest("state is \"\(text)\"; give one of \(known)")
                }
                return status
            })
        filter.isDue = try isDue(query)
        filter.kind = query["kind"].map { JobKind($0) }
        filter.queue = query["queue"].map { QueueName($0) }
        filter.key = query["key"]
        filter.error = query["error"]
        filter.tags = query.all("tag").filter { !$0.isEmpty }
        do {
            filter.payload = try PayloadCondition.json(query.all("where").filter { !$0.isEmpty })
        } catch let error as TenureError {
            throw BadRequest("where: \(error.message)")
        }
        filter.finished = query["finished"] != nil
        if let text = query["batch"] {
            guard let batch = UUID(uuidString: text) else {
                throw BadRequest("batch is \"\(text)\"; give a batch's id")
            }
            filter.batch = batch
        }
        if let text = query["older-than"] {
            guard let age = DurationText.parse(text) else {
                throw BadRequest("older-than is \"\(text)\"; give a time such as 10m, 2h or 1d")
            }
            filter.olderThan = age
        }
        return filter
    }

    private static func isDue(_ query: Query) throws -> Bool? {
        try query["due"].map { text in
            guard let due = Due(rawValue: text) else {
                throw BadRequest("due is \"\(text)\"; give now or later")
            }
            return due == .now
        }
    }

    static func form(_ query: Query, _ links: Links) -> Markup {
        let chosen = query.all("state")
        let states = JobStatus.allCases.map(\.rawValue).map { state -> Markup in
            let mark: Markup = chosen.contains(state) ? " checked" : ""
            return """
                <label class="check"><input type="checkbox" name="state" value="\(state)"\(mark)> \
                \(state)</label>
                """
        }
        let due = [("", "at any time"), ("now", "now"), ("later", "later")].map {
            value, text -> Markup in
            let mark: Markup = query["due"] ?? "" == value ? " selected" : ""
            return "<option value=\"\(value)\"\(mark)>\(text)</option>"
        }
        let fields = [
            ("kind", "kind"), ("queue", "queue"), ("key", "key"), ("error", "error has"),
            ("older-than", "older than"), ("tag", "tag"), ("where", "payload has (field=value)"),
        ].flatMap { name, label -> [Markup] in
            let values = query.all(name).filter { !$0.isEmpty }
            return (values.isEmpty ? [""] : values).map { value in
                """
                <label>\(label)<input name="\(name)" value="\(value)" size="12" \
                autocomplete="off"></label>
                """
            }
        }
        let finished: Markup = query["finished"] == nil ? "" : " checked"
        let batch: Markup =
            query["batch"].map { "<input type=\"hidden\" name=\"batch\" value=\"\($0)\">" } ?? ""
        return """
            <form class="filter" method="get" action="\(links.to("jobs"))" role="search">
            <fieldset><legend>states; without one, all that are unfinished</legend>\(states)
            </fieldset><label>due<select name="due">\(due)</select></label>\(fields)\(batch)
            <label class="check"><input type="checkbox" name="finished" value="1"\(finished)> \
            also those that have ended</label>
            <button type="submit">Show</button></form>
            """
    }
}

/// What was asked for means nothing.
package struct BadRequest: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
