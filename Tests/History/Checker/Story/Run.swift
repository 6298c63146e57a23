/// Names a run: a job and the fence of its claim.
struct RunID: Hashable, Sendable, CustomStringConvertible {
    let job: JobID
    let fence: Int

    var description: String { "run \(fence) of job \(job)" }
}

/// One run of a job: what the database's witness and the worker's log say of it.
final class Run {
    let id: RunID
    /// The audited claim. Absent when only a worker tells of it.
    let claim: Change<JobRow>?
    /// How the job's row left the running state.
    var end: RunEnd?
    /// Whose log tells of it.
    var process: ProcessStory?
    /// What that log says of it, in its order.
    var events: [Event] = []

    init(id: RunID, claim: Change<JobRow>?) {
        self.id = id
        self.claim = claim
    }

    var claimed: Event? { first(.claimed) }
    var started: Event? { first(.handlerStarted) }
    var delivered: Event? { first(.cancelDelivered) }
    var handlerEnded: Event? { first(.handlerEnded) }
    var session: Int? { claim?.new?.session ?? claimed?.session }

    func first(_ name: Event.Name) -> Event? { events.first { $0.name == name } }
    func all(_ name: Event.Name) -> [Event] { events.filter { $0.name == name } }

    /// The reason of its cancellation, as the handler saw it; nil when nobody cancelled it.
    var cancelReason: CancelReason? { delivered?.reason.map(CancelReason.init) }

    /// Its first line, wherever that is.
    var evidence: [Place] {
        [claim?.place ?? claimed?.place ?? events.first?.place].compactMap(\.self)
    }
}

/// Why a handler was cancelled. A timeout is the one reason that is a failure.
enum CancelReason: Equatable {
    case timedOut
    case other(String)

    /// The reason's name stands first; what it carries may follow in parentheses.
    init(_ text: String) {
        let name = text.prefix { $0 != "(" && $0 != " " }
        self = name == "timedOut" ? .timedOut : .other(String(name))
    }
}

/// The change by which a job's row left the running state.
struct RunEnd {
    let change: Change<JobRow>
    /// The row of `job_history` that was made in the same transaction.
    let history: Change<HistoryRow>?

    /// The attempts that are counted from here on.
    var attempt: Int? { change.new?.attempt ?? history?.new?.attempt }
    var outcome: HistoryRow.Outcome? { history?.new?.outcome }
    var places: [Place] { [change.place, history?.place].compactMap(\.self) }
}
