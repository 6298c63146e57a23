import Tenure

/// A form for what can be changed of a job that has not started.
struct EditPage: Page {
    let id: JobID
    /// What was filled in before.
    let form: Query
    let tab: Tab? = .jobs
    var title: String { "Edit job \(id)" }
    let isLive = false
    var enter: [String]? { Self.path(id) }

    static func path(_ id: JobID) -> [String] { ["jobs", "\(id)", "edit"] }

    init(_ id: JobID, _ form: Query) { (self.id, self.form) = (id, form) }

    func look(_ look: Look) async throws -> JobSummary {
        guard let job = try await look.inspector.job(id)?.summary else {
            throw NotThere(description: "There is no job \(id), or history has dropped it.")
        }
        return job
    }

    func sections(_ found: JobSummary, _ look: Look) -> [Section] {
        let back = Markup.link("Back to the job", to: look.links.to("jobs", "\(id)"))
        guard look.mayAct else {
            return [Section(id: "edit", body: "<p>You only look, and edit nothing. \(back)</p>")]
        }
        guard !found.status.isFinished, found.status != .running else {
            let why = found.status == .running ? EditResult.running : .finished
            return [Section(id: "edit", body: "<p>It can’t be edited: \(why.words). \(back)</p>")]
        }
        let button = VerbButton(title: "Save", address: look.links.to(Self.path(id)))
        return [
            Section(
                id: "edit",
                body: """
                    <p>What is left empty stays as it is. \(back)</p>
                    \(FormField.form(fields(found), button))
                    """)
        ]
    }

    private func fields(_ job: JobSummary) -> [FormField] {
        func field(
            _ name: String, _ title: String, _ shape: FormField.Shape, _ hint: String = ""
        ) -> FormField {
            FormField(name: name, title: title, shape: shape, value: form[name] ?? "", hint: hint)
        }
        let due = TimeText.plain(job.runAt)
        return [
            field(
                "after", "run it after a pause from now; 0s is now (due: \(due))", .line(),
                "as it is"),
            field("at", "or at a time, in UTC", .moment),
            field(
                "priority", "priority, 0 to 9: lower runs first", .line(), "\(Int(job.priority))"),
            field("queue", "queue", .line(), job.queue.rawValue),
            field("max-attempts", "attempts at most", .line(), "\(job.maxAttempts)"),
            field("tags", "tags, with commas between; a hyphen for none", .line(), "as they are"),
            field("payload", "a new payload, as JSON", .text, "as it is"),
            field("payload-version", "the version of its form", .line(), "as it is"),
            field(Reason.name, Reason.title, .line()),
        ]
    }
}
