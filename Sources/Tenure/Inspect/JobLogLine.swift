public import TenureFoundation
import TenurePostgres

/// A line that a run has logged, kept with its job: ``JobOptions/keepsLog``.
public struct JobLogLine: Sendable, Hashable {
    /// The run that wrote it.
    public let fence: Fence
    /// By the worker's clock; nil where a worker in another language wrote no time.
    public let at: Date?
    public let level: String?
    /// With what the call had as metadata.
    public let message: String
}

/// The last lines of a job's runs, the newest first.
struct ListLog: PostgresStatement {
    static let sql = """
        SELECT l.fence, e.line ->> 'at', e.line ->> 'level', e.line ->> 'message'
        FROM tenure.job_log l
        CROSS JOIN LATERAL jsonb_array_elements(l.lines) WITH ORDINALITY AS e (line, place)
        WHERE l.job_id = $1 ORDER BY l.fence DESC, e.place DESC LIMIT 200
        """
    let job: JobID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(job.uuid) }

    static func decode(_ row: borrowing PostgresRow) throws -> JobLogLine {
        JobLogLine(
            fence: Fence(try row.decode(0)),
            at: try row.decode(1, as: String?.self).flatMap(TimeText.read),
            level: try row.decode(2), message: try row.decode(3))
    }
}

/// A line for programs.
struct LogDocument: Encodable {
    let line: JobLogLine
    let message: String

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "fence": line.fence.rawValue, "at": line.at, "level": line.level, "message": message,
        ])
    }
}

extension JobLogLine {
    /// For people, without its time.
    package func text(_ shown: (String) -> String) -> String {
        (level.map { "\($0) " } ?? "") + shown(message)
    }
}
