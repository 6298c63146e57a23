import Tenure

/// A key's generations, as a ladder: which superseded which, what was committed, what came late.
struct KeysPage: Page {
    struct Found: Encodable, Sendable {
        @OrNull var subject: JobSubject?
        let jobs: [KeyJob]
        @OrNull var next: String?
    }
    let kind: String?
    let key: String?
    /// Of its generations.
    let place: ListPlace<Int64>
    let tab: Tab? = .keys
    var title: String { key.map { "Key \($0)" } ?? "Keys" }

    init(_ query: Query) throws {
        place = try ListPlace(query, at: "keys", keeping: ["kind", "key"])
        kind = query["kind"]
        key = query["key"]
    }

    var head: (Links) -> Markup {
        { links in
            """
            <form class="filter" method="get" action="\(links.to("keys"))" role="search">
            <label>kind<input name="kind" required value="\(kind ?? "")" autocomplete="off"></label>
            <label>key<input name="key" required value="\(key ?? "")" autocomplete="off"></label>
            <button type="submit">Show</button></form>
            """
        }
    }

    func look(_ look: Look) async throws -> Found {
        guard let kind, let key else { return Found(subject: nil, jobs: [], next: nil) }
        let story = try await look.inspector.key(
            key, of: JobKind(kind), before: place.after, limit: place.limit)
        let part = place.part(story.jobs, look) { $0.summary.generation?.rawValue ?? .max }
        return Found(subject: story.subject, jobs: part.rows, next: part.next)
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        guard kind != nil, key != nil else {
            return [
                Section(
                    id: "key",
                    body:
                        """
                        <p>A key stands for one thing that jobs are about. Give the kind of \
                        its jobs, and the key.</p>
                        """
                )
            ]
        }
        var facts = Facts()
        if let subject = found.subject {
            facts.add("newest generation", text: "\(subject.issued)")
            facts.add("oldest that may commit", text: "\(subject.floor)")
            facts.add("last committed", text: "\(subject.committed)")
        }
        let none: Markup =
            found.subject == nil
            ? "<p>The key is idle for so long that its numbers are forgotten.</p>" : ""
        let rows = found.jobs.map { rung(in: $0, found.subject, look) }
        let table = ListTable(
            caption: "Its generations, the newest first",
            columns: [
                .init("generation"), .init("job"), .init("state"), .init("what came of it"),
                .init("runs", isNumber: true), .init("worker"), .init("made"),
            ], rows: rows, none: "No job has this key, as far as history goes back.")
        let pages = place.pages(found.next, look)
        let numbers: Markup =
            rows.isEmpty
            ? ""
            : """
            <p class="soft">Generations of all keys are counted together: those of one begin \
            anywhere and have gaps. A later one has the higher number.</p>
            """
        return [
            Section(id: "key", body: "\(none)\(facts.markup)\(table.markup)\(pages)\(numbers)")
        ]
    }

    private func rung(in job: KeyJob, _ subject: JobSubject?, _ look: Look) -> [Markup] {
        let summary = job.summary
        let generation = summary.generation
        var marks: [Markup] = []
        if let generation, let subject {
            if generation == subject.issued { marks.append(Markup.badge("newest")) }
            if generation == subject.committed { marks.append(Markup.badge("committed", .good)) }
            if generation < subject.floor, !summary.status.isFinished {
                marks.append(Markup.badge("may not commit", .doubt))
            }
        }
        let became: Markup
        if let next = job.supersededBy {
            became = "superseded by \(Markup.link("\(next)", to: look.links.to("jobs", "\(next)")))"
        } else {
            became = Markup.optional(job.reason.map(look.settings.redact))
        }
        return [
            "\(generation.map { "\($0)" } ?? "–") \(marks)",
            Markup.link("\(summary.id)", to: look.links.to("jobs", "\(summary.id)")),
            JobsPage.state(summary), became, "\(job.runs)", Markup.optional(job.worker),
            Markup.age(summary.createdAt),
        ]
    }
}
