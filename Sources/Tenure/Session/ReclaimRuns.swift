import TenureFoundation
import TenurePostgres

/// A run of a dead session, and what became of its job.
package struct ReclaimedRun: Sendable {
    package let job: JobID
    package let became: RunOutcome
    package let kind: JobKind
    package let queue: QueueName

    package init(job: JobID, became: RunOutcome, kind: JobKind, queue: QueueName) {
        self.job = job
        self.became = became
        self.kind = kind
        self.queue = queue
    }
}

/// Makes the jobs of dead sessions pending again, a bounded number at a time.
struct ReclaimRuns: PostgresStatement {
    static let sql = "SELECT r.id, r.became, r.kind, r.queue FROM tenure.reclaim_runs($1) AS r"
    static let most = 500

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int32(Self.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> ReclaimedRun {
        ReclaimedRun(
            job: JobID(try row.decode(0, as: UUID.self)),
            became: RunOutcome(text: try row.decode(1)),
            kind: JobKind(try row.decode(2, as: String.self)),
            queue: QueueName(try row.decode(3, as: String.self)))
    }
}
