public import TenureFoundation
import TenurePostgres

/// A part of a job's handler that is behind it: no later run does it again.
public struct JobStep: Sendable, Hashable {
    public enum Way: String, Sendable, Codable, CaseIterable {
        /// Its handler has done it.
        case done
        /// It waited for a signal, which came.
        case signal
        /// It slept, and the time came.
        case time
        /// It waited for a signal, and the time for that was over first.
        case timeout
    }
    public let name: String
    /// The run that did it.
    public let fence: Fence
    public let way: Way
    /// The result's, as the program calls it; nil for one that has none.
    public let type: String?
    /// As JSON; of a signal its payload.
    public let result: String?
    /// By the worker's clock; nil for waits.
    public let took: Duration?
    public let doneAt: Date
}

/// What a job waits for, or has waited for before the run that it is in.
public struct JobWait: Sendable, Hashable {
    /// Of the step that it becomes.
    public let step: String
    /// Nil: for its time alone.
    public let signal: String?
    public let until: Date?
    public let since: Date
}

/// A signal that nobody has received yet.
public struct JobSignal: Sendable, Hashable {
    public let id: UUID
    public let name: String
    /// As JSON.
    public let payload: String?
    public let sentAt: Date
    public let sentBy: String?
}

/// The steps of a job, in the order in which they came to be.
struct ListSteps: PostgresStatement {
    static let sql = """
        SELECT s.name, s.fence, s.how::text, s.type, s.result, tenure.in_seconds(s.took), s.done_at
        FROM tenure.job_step s WHERE s.job_id = $1 ORDER BY s.done_at, s.name
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobStep {
        JobStep(
            name: try row.decode(0), fence: Fence(try row.decode(1)),
            way: JobStep.Way(rawValue: try row.decode(2)) ?? .done, type: try row.decode(3),
            result: try row.decode(4, as: PostgresJSON?.self)?.text, took: try row.decode(5),
            doneAt: try row.decode(6))
    }
}

/// What a job waits for, the first to end first.
struct ListWaits: PostgresStatement {
    static let sql = """
        SELECT w.name, w.signal, w.until, w.made_at FROM tenure.job_wait w
        WHERE w.job_id = $1 ORDER BY w.until NULLS LAST, w.name
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobWait {
        JobWait(
            step: try row.decode(0), signal: try row.decode(1), until: try row.decode(2),
            since: try row.decode(3))
    }
}

/// The signals of a job that nobody has received, the oldest first.
struct ListSignals: PostgresStatement {
    static let sql = """
        SELECT s.id, s.name, s.payload, s.sent_at, s.sent_by FROM tenure.job_signal s
        WHERE s.job_id = $1 AND s.taken_as IS NULL ORDER BY s.sent_at, s.id LIMIT 1000
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobSignal {
        JobSignal(
            id: try row.decode(0), name: try row.decode(1),
            payload: try row.decode(2, as: PostgresJSON?.self)?.text, sentAt: try row.decode(3),
            sentBy: try row.decode(4))
    }
}

extension JobWait {
    /// For people, without its time.
    var text: String { signal.map { "waits for signal \"\($0)\"" } ?? "sleeps" }
}
