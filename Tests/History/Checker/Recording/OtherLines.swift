/// A line of `faults.jsonl`.
struct Fault: Sendable {
    enum Name: String, CaseIterable, Sendable {
        case killWorker, killCoordinator, freezeWorker, freezeCoordinator, killPostgres
        case stopPostgres, terminateBackend, cutProxy, delayProxy, cutProxyOneWay, cutCommitReply
        case stepDatabaseClock, stepWorkerClock, fillDisk, deafHandler, crashHandler, notifyOff
        case cutBeforeCommit
        case end, drained
    }

    let place: Place
    let boot: Double
    let until: Double?
    let name: Name
    let process: String?
    /// The job whose handler crashes its process.
    let job: JobID?
    let reached: Bool
    /// A proxy keeps what the process sends, and drops it with the connection.
    let holdsRequests: Bool

    static let file = "faults.jsonl"

    private static let columns = [
        "boot", "until", "fault", "process", "job", "reached", "detail",
    ]

    static func read(_ file: LineFile) throws(UnusableRecording) -> [Fault] {
        var faults: [Fault] = []
        var reader = ObjectReader(columns)
        try file.forEachLine { scanner, line throws(JSONError) in
            try reader.read(&scanner)
            let members = Members(values: reader.values, names: columns)
            faults.append(try Fault(members, Place(file.name, line.number)))
        }
        guard faults.contains(where: { $0.name == .end }) else {
            throw UnusableRecording(file.name, "there is no `end`: the recording broke off")
        }
        return faults
    }

    private init(_ members: Members, _ place: Place) throws(JSONError) {
        self.place = place
        boot = try members.seconds(0)
        until = try members.optionalSeconds(1)
        name = try members.word(2, Name.self)
        process = try members.optionalText(3)
        job = try members.optionalJob(4)
        reached = try members.flag(5)
        let detail = try members.optionalText(6)
        holdsRequests = name == .cutProxyOneWay && detail == "requests are held"
        switch name {
        case .killWorker, .killCoordinator, .freezeWorker, .freezeCoordinator, .crashHandler:
            if process == nil { throw members.missing(3) }
        default:
            if reached, process == nil { throw members.missing(3) }
        }
    }
}

/// A line of `sink.jsonl`: an effect that arrived outside.
struct SinkLine: Sendable {
    let place: Place
    let job: JobID
    let fence: Int
    let sent: Double

    static let file = "sink.jsonl"

    private static let columns = ["job", "fence", "sent"]

    static func read(_ file: LineFile) throws(UnusableRecording) -> [SinkLine] {
        var lines: [SinkLine] = []
        var reader = ObjectReader(columns)
        try file.forEachLine { scanner, line throws(JSONError) in
            try reader.read(&scanner)
            let members = Members(values: reader.values, names: columns)
            lines.append(
                SinkLine(
                    place: Place(file.name, line.number), job: try members.job(0),
                    fence: try members.integer(1), sent: try members.seconds(2)))
        }
        return lines
    }
}

/// `final.jsonl`: what stood in the tables after the end.
struct FinalTables: Sendable {
    struct Found<Row: AuditRow>: Sendable {
        let row: Row
        let place: Place
        /// Where the row stands in the file.
        let range: Range<Int>
    }

    struct AttemptError: Sendable {
        let job: JobID
        let fence: Int
        let place: Place
    }

    private(set) var jobs: [Found<JobRow>] = []
    private(set) var history: [Found<HistoryRow>] = []
    private(set) var subjects: [Found<SubjectRow>] = []
    private(set) var effects: [Found<EffectRow>] = []
    private(set) var errors: [AttemptError] = []

    static let file = "final.jsonl"

    private enum Table: String {
        case job
        case history = "job_history"
        case subject, effect
        case error = "attempt_error"
    }

    init(_ file: LineFile) throws(UnusableRecording) {
        try file.forEachLine { scanner, line throws(JSONError) in
            let start = scanner.at
            let object = try NamedMembers(&scanner)
            let slice = try object.get("row", Members.container)
            let place = Place(file.name, line.number)
            let from = line.offset + (slice.start - start)
            try self.add(object, slice, place, from..<from + slice.count)
        }
    }

    private mutating func add(
        _ object: NamedMembers, _ slice: JSONSlice, _ place: Place, _ range: Range<Int>
    ) throws(JSONError) {
        switch try object.word("table", Table.self) {
        case .job: jobs.append(try Self.found(slice, place, range))
        case .history: history.append(try Self.found(slice, place, range))
        case .subject: subjects.append(try Self.found(slice, place, range))
        case .effect: effects.append(try Self.found(slice, place, range))
        case .error:
            var scanner = slice.scanner
            let row = try NamedMembers(&scanner)
            errors.append(
                AttemptError(
                    job: try row.get("job_id", Members.job),
                    fence: try row.get("fence", Members.integer), place: place))
        }
    }

    private static func found<Row: AuditRow>(
        _ slice: JSONSlice, _ place: Place, _ range: Range<Int>
    ) throws(JSONError) -> Found<Row> {
        var reader = ObjectReader(Row.columns)
        var scanner = slice.scanner
        try reader.read(&scanner)
        let row = try Row(Members(values: reader.values, names: Row.columns))
        return Found(row: row, place: place, range: range)
    }
}
