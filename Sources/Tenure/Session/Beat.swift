// docs/decisions/leases.md

import TenureFoundation
import TenurePostgres

/// What the database says of a running job.
package enum Verdict: Hashable, Sendable {
    case lost
    case cancelled(by: String)
    case superseded(by: Generation)

    private enum Tag: String { case lost, cancelled, superseded }

    /// As the database says it. Whatever it says of a run, the run is not to go on: one that a
    /// newer schema has another word for has lost its place, too.
    package init(tag: String, number: Int64?, detail: String?) {
        self =
            switch Tag(rawValue: tag) {
            case .superseded: .superseded(by: Generation(number ?? 0))
            case .cancelled: .cancelled(by: detail ?? "operator")
            case .lost, nil: .lost
            }
    }
}

/// One row of a heartbeat's answer.
package enum BeatLine: Sendable {
    /// The beat counted: the lease runs anew from before it was sent.
    case renewed(beat: Int64)
    case verdict(JobID, Verdict)
    /// The database has this run in our name and we may not know of it.
    case unknown(RunRef)
    /// Another live session, and where its beat stands.
    case peer(SessionID, beat: Int64, lease: Duration)
    /// The database's clock, in microseconds, and how often it has been found set back.
    case clock(microseconds: Int64, steps: Int64)
    /// An operator asks the session to end, in good order.
    case stop(by: String)
    /// A session that is over, and whose jobs may not all be reclaimed yet.
    case dead(SessionID)
    /// A newer schema's, of no run. The lease counts all the same.
    case other(String)
}

/// Renews the lease and reads the verdicts, in one round trip. No `.renewed`: the session is over.
struct Beat: PostgresStatement {
    static let sql = """
        SELECT b.tag, b.job_id, b.number, b.detail, b.lease
        FROM tenure.beat($1, $2, $3, $4, $5) AS b
        """
    let session: SessionID
    let runs: [RunRef]
    /// Runs from this fence on that are not in `runs` are reported as unknown.
    let unknownSince: Fence
    /// What runs have reported since the last beat.
    let news: [ProgressNews]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session.rawValue)
        try parameters.append(runs.map(\.job.uuid))
        try parameters.append(runs.map(\.fence.rawValue))
        try parameters.append(unknownSince.rawValue)
        try parameters.append(try ProgressNews.json(of: news).map { PostgresJSON($0) })
    }

    /// All other tags are verdicts.
    private enum Tag: String { case beat, dead, stop, clock, peer, unknown }

    static func decode(_ row: borrowing PostgresRow) throws -> BeatLine {
        let number = try row.decode(2, as: Int64?.self) ?? 0
        let tag = try row.decode(0, as: String.self)
        switch Tag(rawValue: tag) {
        case .beat: return .renewed(beat: number)
        case .dead: return .dead(SessionID(number))
        case .stop: return .stop(by: try row.decode(3, as: String?.self) ?? "operator")
        case .clock:
            let clock = Int64(try row.decode(3, as: String.self)) ?? 0
            return .clock(microseconds: clock, steps: number)
        case .peer:
            let beat = Int64(try row.decode(3, as: String.self)) ?? 0
            return .peer(SessionID(number), beat: beat, lease: try row.decode(4))
        case .unknown:
            let job = JobID(try row.decode(1, as: UUID.self))
            return .unknown(RunRef(job: job, fence: Fence(number)))
        case nil:
            guard let job = try row.decode(1, as: UUID?.self) else { return .other(tag) }
            return .verdict(
                JobID(job), Verdict(tag: tag, number: number, detail: try row.decode(3)))
        }
    }
}
