/// The rows of the audited tables: the columns that a rule reads, and no others.
protocol AuditRow: AnyObject, Equatable, Sendable {
    static var columns: [String] { get }
    init(_ members: Members) throws(JSONError)
}

final class JobRow: AuditRow {
    enum State: String {
        case scheduled, available, retryable, waiting, held, running
    }

    let id: JobID
    let retryOf: JobID?
    let generation: Int?
    let fence: Int?
    let session: Int?
    let state: State
    let attempt: Int
    let maxAttempts: Int
    let refunds: Int
    let kind: String
    let queue: String
    let key: String?
    let lane: String?
    /// By the database's clock, in seconds; only of a row that may wait for it.
    let runAt: Double?

    static let columns = [
        "id", "retry_of", "generation", "fence", "session_id", "state", "attempt", "max_attempts",
        "refunds", "kind", "queue", "key", "lane", "run_at",
    ]

    init(_ members: Members) throws(JSONError) {
        id = try members.job(0)
        retryOf = try members.optionalJob(1)
        generation = try members.optionalInteger(2)
        fence = try members.optionalInteger(3)
        session = try members.optionalInteger(4)
        state = try members.word(5, State.self)
        attempt = try members.integer(6)
        maxAttempts = try members.integer(7)
        refunds = try members.integer(8)
        kind = try members.text(9)
        queue = try members.text(10)
        key = try members.optionalText(11)
        lane = try members.optionalText(12)
        switch state {
        case .scheduled, .retryable: runAt = try DatabaseTime.seconds(members.slice(13))
        default: runAt = nil
        }
        guard (state == .running) == (fence != nil), (state == .running) == (session != nil) else {
            throw JSONError("a job is running with a fence and a session, or none of the three")
        }
    }

    var isRunning: Bool { state == .running }
    /// Unfinished, not running and free to be claimed once its time has come.
    var isPending: Bool { state != .running && state != .held }

    static func == (left: JobRow, right: JobRow) -> Bool {
        left.id == right.id && left.state == right.state && left.fence == right.fence
            && left.session == right.session && left.generation == right.generation
            && left.attempt == right.attempt && left.maxAttempts == right.maxAttempts
            && left.refunds == right.refunds && left.runAt == right.runAt
            && left.kind == right.kind && left.queue == right.queue && left.key == right.key
            && left.lane == right.lane && left.retryOf == right.retryOf
    }
}

final class HistoryRow: AuditRow {
    enum Outcome: String {
        case completed, cancelled, superseded, discarded
    }

    let id: JobID
    let retryOf: JobID?
    let generation: Int?
    let fence: Int?
    let outcome: Outcome
    let attempt: Int
    let maxAttempts: Int
    let kind: String
    let queue: String
    let key: String?
    let reason: String?

    static let columns = [
        "id", "retry_of", "generation", "fence", "outcome", "attempt", "max_attempts", "kind",
        "queue", "key", "reason",
    ]

    init(_ members: Members) throws(JSONError) {
        id = try members.job(0)
        retryOf = try members.optionalJob(1)
        generation = try members.optionalInteger(2)
        fence = try members.optionalInteger(3)
        outcome = try members.word(4, Outcome.self)
        attempt = try members.integer(5)
        maxAttempts = try members.integer(6)
        kind = try members.text(7)
        queue = try members.text(8)
        key = try members.optionalText(9)
        reason = try members.optionalText(10)
    }

    static func == (left: HistoryRow, right: HistoryRow) -> Bool {
        left.id == right.id && left.outcome == right.outcome && left.fence == right.fence
            && left.generation == right.generation && left.attempt == right.attempt
            && left.maxAttempts == right.maxAttempts && left.kind == right.kind
            && left.queue == right.queue && left.key == right.key && left.retryOf == right.retryOf
    }
}

final class SubjectRow: AuditRow {
    let subject: Subject
    let issued: Int
    let floor: Int
    let committed: Int

    static let columns = ["kind", "key", "issued", "floor", "committed"]

    init(_ members: Members) throws(JSONError) {
        subject = Subject(kind: try members.text(0), key: try members.text(1))
        issued = try members.integer(2)
        floor = try members.integer(3)
        committed = try members.integer(4)
    }

    static func == (left: SubjectRow, right: SubjectRow) -> Bool {
        left.subject == right.subject && left.issued == right.issued && left.floor == right.floor
            && left.committed == right.committed
    }
}

/// What work is about: a kind and a key.
struct Subject: Hashable, Sendable, CustomStringConvertible {
    let kind: String
    let key: String

    var description: String { "\(kind) “\(key)”" }
}

final class SessionRow: AuditRow {
    let id: Int
    let beat: Int
    let hasEnded: Bool
    let died: Bool
    let endedBy: Int?
    /// By the database's clock, in seconds.
    let beatenAt: Double?

    static let columns = ["id", "beat", "ended_at", "died", "ended_by", "beaten_at"]

    init(_ members: Members) throws(JSONError) {
        id = try members.integer(0)
        beat = try members.integer(1)
        hasEnded = !members.isNothing(2)
        died = try members.flag(3)
        endedBy = try members.optionalInteger(4)
        beatenAt = try DatabaseTime.seconds(members.slice(5))
    }

    static func == (left: SessionRow, right: SessionRow) -> Bool {
        left.id == right.id && left.beat == right.beat && left.hasEnded == right.hasEnded
            && left.died == right.died && left.endedBy == right.endedBy
            && left.beatenAt == right.beatenAt
    }
}

final class LaneRow: AuditRow {
    let queue: String
    let name: String
    let maxRunning: Int

    static let columns = ["queue", "name", "max_running"]

    init(_ members: Members) throws(JSONError) {
        queue = try members.text(0)
        name = try members.text(1)
        maxRunning = try members.integer(2)
    }

    static func == (left: LaneRow, right: LaneRow) -> Bool {
        left.queue == right.queue && left.name == right.name && left.maxRunning == right.maxRunning
    }
}

final class QueueRow: AuditRow {
    let name: String
    let maxRunning: Int?
    let keepsCompleted: Bool

    static let columns = ["name", "max_running", "keep_completed"]

    init(_ members: Members) throws(JSONError) {
        name = try members.text(0)
        maxRunning = try members.optionalInteger(1)
        keepsCompleted = try members.knownFlag(2)
    }

    static func == (left: QueueRow, right: QueueRow) -> Bool {
        left.name == right.name && left.maxRunning == right.maxRunning
            && left.keepsCompleted == right.keepsCompleted
    }
}

final class EffectRow: AuditRow {
    let job: JobID
    let fence: Int
    let generation: Int?
    let key: String?
    let kind: String
    let tag: String?

    static let columns = ["job", "fence", "generation", "key", "kind", "payload_tag"]

    init(_ members: Members) throws(JSONError) {
        job = try members.job(0)
        fence = try members.integer(1)
        generation = try members.optionalInteger(2)
        key = try members.optionalText(3)
        kind = try members.text(4)
        tag = members.isNothing(5) ? nil : try members.label(5)
    }

    static func == (left: EffectRow, right: EffectRow) -> Bool {
        left.job == right.job && left.fence == right.fence && left.key == right.key
            && left.generation == right.generation && left.kind == right.kind
            && left.tag == right.tag
    }
}
