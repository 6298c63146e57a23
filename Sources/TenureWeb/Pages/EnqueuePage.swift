import Tenure

/// A form for one job.
struct EnqueuePage: Page {
    struct Found: Encodable, Sendable {
        /// What has a job, of the newest, or a live worker.
        let kinds: [JobKind]
        let queues: [QueueName]
    }
    static let path = ["jobs", "enqueue"]
    /// What was filled in before.
    let form: Query
    let tab: Tab? = .jobs
    let title = "Enqueue a job"
    let isLive = false
    let enter: [String]? = Self.path

    init(_ form: Query) { self.form = form }

    func look(_ look: Look) async throws -> Found {
        Found(
            kinds: try await look.inspector.kinds(countingTo: Counting.most).map(\.kind),
            queues: try await look.inspector.queues(
                after: "", limit: ListLength.most, countingTo: 1, findsOldest: false
            ).map(\.name))
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        guard look.mayAct else {
            return [Section(id: "enqueue", body: "<p>You only look, and enqueue nothing.</p>")]
        }
        let button = VerbButton(title: "Enqueue it", address: look.links.to(Self.path))
        return [Section(id: "enqueue", body: FormField.form(fields(found), button))]
    }

    private func fields(_ found: Found) -> [FormField] {
        func field(
            _ name: String, _ title: String, _ shape: FormField.Shape, _ hint: String = "",
            isRequired: Bool = false
        ) -> FormField {
            FormField(
                name: name, title: title, shape: shape, value: form[name] ?? "", hint: hint,
                isRequired: isRequired)
        }
        return [
            // Sent twice it is one job.
            FormField(name: "id", title: "", shape: .hidden, value: form["id"] ?? "\(JobID())"),
            field("kind", "kind", .line(known: found.kinds.map(\.rawValue)), isRequired: true),
            field(
                "queue", "queue", .line(known: found.queues.map(\.rawValue)), "as its kind says"),
            field("payload", "payload, as JSON", .text, "{}"),
            field("key", "key: what it is about", .line(), "none"),
            field("mode", "the key’s other jobs", .choice([""] + JobForm.modes), "as usual"),
            field("after", "after a pause, such as 10m", .line(), "at once"),
            field("at", "or at a time, in UTC", .moment),
            field("priority", "priority, 0 to 9: lower runs first", .line(), "as its kind says"),
            field("tags", "tags, with commas between", .line(), "none"),
            field(Reason.name, Reason.title, .line()),
            field("force", "enqueue it although nobody knows the kind", .box),
        ]
    }
}
