import Tenure
import TenureFoundation
import TenurePostgres

/// Enqueues what a schedule enqueues, beside its ticks. Its row is locked: nobody removes the
/// schedule meanwhile.
struct TriggerSchedule: PostgresStatement {
    static let sql = """
        SELECT e.id, e.generation, e.result, coalesce(s.job ->> 'queue', 'default'),
               s.job ->> 'kind', s.job ->> 'key'
        FROM (SELECT s.job FROM tenure.schedule s WHERE s.name = $1 FOR KEY SHARE) AS s
        CROSS JOIN LATERAL tenure.enqueue_jobs(jsonb_build_array(s.job - 'owner')) AS e
        """
    let name: String

    struct Row: Sendable {
        let job: EnqueuedJob
        let queue: String
        let kind: JobKind
        let key: String?

        /// Runs of its key may have lost their right by it.
        var wakeups: [Wakeup] {
            [Wakeup(channel: Wakeup.available, payload: queue)]
                + (job.generation == nil ? [] : key.map { [.ofKey($0, kind: kind)] } ?? [])
        }
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(name) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            job: EnqueuedJob(
                id: JobID(try row.decode(0, as: UUID.self)),
                generation: try row.decode(1, as: Int64?.self).map { Generation($0) },
                result: try EnqueuedJob.Result(answer: row.decode(2), to: "an enqueue")),
            queue: try row.decode(3), kind: JobKind(try row.decode(4, as: String.self)),
            key: try row.decode(5))
    }
}
