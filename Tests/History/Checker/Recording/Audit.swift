/// `audit.jsonl`: what was committed, by table, each in the order of `seq`.
struct Audit: Sendable {
    var jobs: [Change<JobRow>] = []
    var history: [Change<HistoryRow>] = []
    var subjects: [Change<SubjectRow>] = []
    var sessions: [Change<SessionRow>] = []
    var lanes: [Change<LaneRow>] = []
    var queues: [Change<QueueRow>] = []
    var effects: [Change<EffectRow>] = []

    static let file = "audit.jsonl"

    mutating func append(_ later: Audit) {
        jobs += later.jobs
        history += later.history
        subjects += later.subjects
        sessions += later.sessions
        lanes += later.lanes
        queues += later.queues
        effects += later.effects
    }
}

/// One audited change of one row. There are millions, and each is indexed more than once.
final class Change<Row: AuditRow>: Sendable {
    let header: Header
    let old: Row?
    let new: Row?

    init(header: Header, old: Row?, new: Row?) {
        self.header = header
        self.old = old
        self.new = new
    }

    var seq: Int { header.seq }
    var boot: Double { header.boot }
    var xid: Int { header.xid }
    var place: Place { Place(Audit.file, header.line) }
}

/// What every line of the audit says of itself.
struct Header: Sendable {
    enum Table: String {
        case job
        case history = "job_history"
        case subject, session, lane, queue, effect
    }

    enum Operation: String {
        case insert, update, delete
    }

    let line: Int
    let seq: Int
    let boot: Double
    let xid: Int
    let table: Table
    /// Where `new` stands in the file.
    let row: Range<Int>

    static let columns = ["seq", "boot", "xid", "table", "op", "old", "new"]
}
