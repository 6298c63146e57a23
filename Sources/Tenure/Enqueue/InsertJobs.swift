import FoundationEssentials
import TenurePostgres

// Jobs that no other job has to do with, neither by key, lane nor run, need no steps and no locks:
// they are plain rows. Both statements do for them what `tenure.enqueue_jobs` does.
//
// The filter is asked once for each statement. Its first part raises `synchronous_commit` from
// `off`, for the transaction. Its second part writes nothing where a completed job leaves no row:
// alone, without a transaction's id, the rows are all that can tell of a lost answer.

/// Adds one plain job.
struct InsertJob: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.job (
            id, kind, queue, payload, payload_version, priority, max_attempts, run_at, calendar,
            state, run_id, parent_id, trace)
        SELECT $1, $2, $3, $4, $5, $6, $7, due.at,
               coalesce($8::timestamptz > clock_timestamp(), false),
               CASE WHEN due.at > clock_timestamp() THEN 'scheduled'
                    ELSE 'available' END::tenure.job_state,
               $10, $11, $12
        FROM (SELECT coalesce($8::timestamptz, clock_timestamp() + $9::interval)) AS due (at)
        WHERE (SELECT CASE current_setting('synchronous_commit')
                      WHEN 'off' THEN set_config('synchronous_commit', 'on', true)
                      ELSE 'on' END) = 'on'
          AND (NOT $13::boolean OR NOT EXISTS (
              SELECT FROM tenure.queue q WHERE q.name = $3::text AND NOT q.keep_completed))
        """
    let job: NewJob
    /// Only if the job will leave a row, whatever becomes of it.
    let ifKept: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try job.bind(&parameters)
        try parameters.append(ifKept)
    }
}

/// Adds many plain jobs, all or none. Each run time is read as its row is made, so that jobs of
/// one call stand in the order of the call.
struct InsertJobs: PostgresStatement {
    static let sql = """
        INSERT INTO tenure.job (
            id, kind, queue, payload, payload_version, priority, max_attempts, run_at, calendar,
            state, run_id, parent_id, trace)
        SELECT n.id, n.kind, n.queue, n.payload, n.payload_version, n.priority, n.max_attempts,
               due.at, coalesce(n.run_at > clock_timestamp(), false),
               CASE WHEN due.at > clock_timestamp() THEN 'scheduled'
                    ELSE 'available' END::tenure.job_state,
               n.run_id, n.parent_id, n.trace
        FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::int2[], $6::int2[],
                    $7::int4[], $8::timestamptz[], $9::interval[], $10::uuid[], $11::uuid[],
                    $12::text[])
             AS n (id, kind, queue, payload, payload_version, priority, max_attempts, run_at,
                   after, run_id, parent_id, trace)
        CROSS JOIN LATERAL (
            SELECT coalesce(n.run_at, clock_timestamp() + n.after)) AS due (at)
        WHERE (SELECT CASE current_setting('synchronous_commit')
                      WHEN 'off' THEN set_config('synchronous_commit', 'on', true)
                      ELSE 'on' END) = 'on'
          AND (NOT $13::boolean OR NOT EXISTS (
              SELECT FROM tenure.queue q WHERE q.name = ANY ($3::text[]) AND NOT q.keep_completed))
        """
    let jobs: [NewJob]
    /// Only if each of them will leave a row, whatever becomes of it.
    let ifKept: Bool

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(jobs.map(\.id.uuid))
        try parameters.append(jobs.map(\.kind.rawValue))
        try parameters.append(jobs.map(\.queue.rawValue))
        try parameters.append(jobs.map { PostgresJSON($0.payload) })
        try parameters.append(jobs.map(\.payloadVersion))
        try parameters.append(jobs.map(\.priority))
        try parameters.append(jobs.map { Int32($0.maxAttempts) })
        try parameters.append(jobs.column(\.date))
        try parameters.append(jobs.column(\.delay))
        try parameters.append(jobs.column(\.options.run))
        try parameters.append(jobs.column(\.options.parent?.uuid))
        try parameters.append(jobs.column(\.options.trace))
        try parameters.append(ifKept)
    }
}

extension NewJob {
    /// $1 to $12 of the statements that add one job.
    func bind(_ parameters: inout PostgresParameters) throws {
        let options = options
        try parameters.append(id.uuid)
        try parameters.append(kind.rawValue)
        try parameters.append(queue.rawValue)
        try parameters.append(PostgresJSON(payload))
        try parameters.append(payloadVersion)
        try parameters.append(priority)
        try parameters.append(Int32(maxAttempts))
        try parameters.append(date)
        try parameters.append(delay)
        try parameters.append(options.run)
        try parameters.append(options.parent?.uuid)
        try parameters.append(options.trace)
    }

    /// No other job has to do with it, and no run; nor does it expire.
    var isPlain: Bool {
        mode == nil && options.lane == nil && options.run == nil && options.notAfter == nil
            && !isGiven
    }

    /// It comes to a row of its own, whatever its key has already.
    var isAlwaysNew: Bool { !isGiven && (mode == nil || mode?.way == .superseding) }

    /// What a plain job comes to.
    var enqueued: EnqueuedJob { EnqueuedJob(id: id, generation: nil, result: .enqueued) }
}
