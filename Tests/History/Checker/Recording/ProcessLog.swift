/// `process-<name>.jsonl`: what one process said of itself.
struct ProcessLog: Sendable {
    enum Role: String, Sendable {
        case worker, coordinator, producer
    }

    let file: String
    /// As the faults call it.
    let name: String
    let role: Role
    let events: [Event]

    static let prefix = "process-"

    static func read(_ file: LineFile) throws(UnusableRecording) -> ProcessLog? {
        var events: [Event] = []
        var start: Role?
        var reader = ObjectReader(Event.columns)
        try file.forEachLine { scanner, line throws(JSONError) in
            try reader.read(&scanner)
            let members = Members(values: reader.values, names: Event.columns)
            let event = try Event(members, Place(file.name, line.number))
            if event.name == .start {
                guard start == nil else { throw JSONError("a second `start`") }
                start = try members.word(Event.column("role"), Role.self)
            } else if start == nil {
                throw JSONError("the first line is not `start`")
            }
            events.append(event)
        }
        // A process that was killed before its first whole line has no log.
        guard let start else { return nil }
        let name = file.name.dropFirst(prefix.count).dropLast(".jsonl".count)
        return ProcessLog(file: file.name, name: String(name), role: start, events: events)
    }
}

/// One line of a process's log. There are many, and each is indexed more than once.
final class Event: Sendable {
    enum Name: String, Sendable {
        case start, sessionOpened, beatSent, beatAnswered, beatFailed, leaseExpired, declaring
        case claimed, noted, handlerStarted, cancelDelivered, effectStarting, commitStarting
        case commitAnswered, handlerEnded, errorReport, late, stuck, databaseError
        case enqueueSent, enqueueAnswered, cancelSent, cancelAnswered, retrySent, retryAnswered
    }

    enum Answer: String, Sendable {
        case committed, late, failed, acknowledged, refused, unknown
    }

    enum Ending: String, Sendable {
        case returned, cancelled, threw
    }

    let place: Place
    let boot: Double
    let name: Name
    let job: JobID?
    let fence: Int?
    let session: Int?
    /// Of a beat, or of a producer's call.
    let number: Int?
    let beat: Int?
    let watcher: Int?
    /// Of what is about to begin, the last fence; `fence` is the first.
    let through: Int?
    let sent: Double?
    let answer: Answer?
    let how: Ending?
    let reason: String?
    let hasError: Bool
    let wasUnknown: Bool
    let retry: JobID?
    let entries: [Entry]

    /// One job of an enqueue.
    struct Entry: Sendable {
        enum Mode: String, Sendable {
            case superseding, coalescing, keeping, debounced
        }

        let job: JobID
        let became: JobID?
        let subject: Subject?
        let mode: Mode?
        let tag: String?
        let needs: [Need]
    }

    /// Whom a job waits for.
    enum Need: Sendable {
        /// - Parameter goesOn: however that one ends; else it has to be completed.
        case job(JobID, goesOn: Bool)
        case key(Subject)
    }

    static let columns = [
        "boot", "event", "job", "fence", "session", "number", "call", "beat", "watcher", "sent",
        "answer", "how", "reason", "error", "sqlstate", "unknownResolved", "new", "jobs", "role",
        "through",
    ]

    static func column(_ name: String) -> Int { columns.firstIndex(of: name) ?? 0 }

    init(_ members: Members, _ place: Place) throws(JSONError) {
        self.place = place
        boot = try members.seconds(0)
        name = try members.word(1, Name.self)
        job = try members.optionalJob(2)
        fence = try members.optionalInteger(3)
        session = try members.optionalInteger(4)
        number = try members.optionalInteger(members.isNothing(5) ? 6 : 5)
        beat = try members.optionalInteger(7)
        watcher = try members.optionalInteger(8)
        sent = try members.optionalSeconds(9)
        answer = try members.optionalWord(10, Answer.self)
        how = try members.optionalWord(11, Ending.self)
        reason = try members.optionalText(12)
        hasError = !members.isNothing(13) || !members.isNothing(14)
        wasUnknown = try members.flag(15)
        retry = try members.optionalJob(16)
        entries = members.isNothing(17) ? [] : try Self.entries(try members.container(17))
        through = try members.optionalInteger(19)
        try requireMembers()
    }

    private static func entries(_ slice: JSONSlice) throws(JSONError) -> [Entry] {
        try slice.objects { object throws(JSONError) in
            let key = try object.find("key", Members.text)
            let kind = try object.find("kind", Members.text)
            return Entry(
                job: try object.get("job", Members.job),
                became: try object.find("became", Members.job),
                subject: key.flatMap { key in kind.map { Subject(kind: $0, key: key) } },
                mode: object.has("mode") ? try object.word("mode", Entry.Mode.self) : nil,
                tag: try object.find("tag", Members.label),
                needs: try object.find("after", Members.container).map(needs) ?? [])
        }
    }

    private static func needs(_ slice: JSONSlice) throws(JSONError) -> [Need] {
        try slice.objects { object throws(JSONError) in
            if let job = try object.find("job", Members.job) {
                return .job(job, goesOn: try object.get("goesOn", Members.knownFlag))
            }
            return .key(
                Subject(
                    kind: try object.get("kind", Members.text),
                    key: try object.get("key", Members.text)))
        }
    }

    /// What a line must have is what a rule goes by.
    private func requireMembers() throws(JSONError) {
        let missing: String? =
            switch name {
            case .start, .databaseError: nil
            case .sessionOpened:
                session == nil ? "session" : sent == nil ? "sent" : nil
            case .beatSent, .beatAnswered, .beatFailed:
                session == nil ? "session" : number == nil ? "number" : nil
            case .leaseExpired: session == nil ? "session" : nil
            case .noted:
                session == nil
                    ? "session" : fence == nil ? "fence" : through == nil ? "through" : nil
            case .declaring:
                session == nil ? "session" : beat == nil ? "beat" : watcher == nil ? "watcher" : nil
            case .claimed:
                job == nil ? "job" : fence == nil ? "fence" : session == nil ? "session" : nil
            case .handlerStarted, .cancelDelivered, .effectStarting, .commitStarting,
                .commitAnswered, .handlerEnded, .errorReport, .late, .stuck:
                job == nil ? "job" : fence == nil ? "fence" : missingOutcome
            case .enqueueSent, .cancelSent, .retrySent: number == nil ? "call" : nil
            case .enqueueAnswered, .cancelAnswered, .retryAnswered:
                number == nil ? "call" : answer == nil ? "answer" : nil
            }
        if let missing { throw JSONError("`\(missing)` is missing") }
    }

    private var missingOutcome: String? {
        switch name {
        case .commitAnswered: answer == nil ? "answer" : nil
        case .handlerEnded: how == nil ? "how" : nil
        case .cancelDelivered: reason == nil ? "reason" : nil
        default: nil
        }
    }
}

extension Event {
    /// Lines of one log are in order; those of two processes only by the clock.
    func isKnownToBe(before other: Event) -> Bool {
        place.file == other.place.file ? place.line < other.place.line : boot < other.boot
    }
}
