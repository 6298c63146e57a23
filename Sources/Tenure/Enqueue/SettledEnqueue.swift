import Logging
import TenurePostgres

/// An enqueue that finds out how it ended, before anything is sent again.
///
/// Jobs that are new whatever their key has already go as one statement, in one round trip: when
/// its answer is lost, their rows are looked for as soon as the process that ran it has ended. All
/// others go in a transaction, whose id is fetched first: `pg_xact_status` tells of a lost COMMIT.
struct SettledEnqueue {
    let pool: PostgresPool
    let kept: KeptQueues
    let logger: Logger
    /// What goes with the first try of jobs that go alone.
    let following: FollowingWakeups?
    var tries = 4
    var settlingDeadline: Duration = .seconds(30)

    func run(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
        for attempt in 1...tries {
            do {
                return try await once(jobs)
            } catch let error as PostgresError where error.isTransient && attempt < tries {
                // Nothing was committed: it is safe to send again.
                logger.debug("enqueue is tried again", metadata: ["error": "\(error)"])
                try await PostgresReactor.shared.sleep(for: .milliseconds(50 << attempt))
            }
        }
        return try await once(jobs)
    }

    private func once(_ jobs: [NewJob]) async throws -> [EnqueuedJob] {
        if jobs.allSatisfy(\.isAlwaysNew) {
            if let enqueued = try await settledAlone(jobs) { return enqueued }
            kept.doubt(jobs)
        }
        let answer = Lock<[EnqueuedJob]>([])
        do {
            try await pool.transaction(tracked: true, isolation: .readCommitted) { transaction in
                let enqueued = try await transaction.execute(EnqueueJobs(jobs))
                answer.withLock { $0 = enqueued }
            }
        } catch let error as PostgresError where error.code == .unknownCommit {
            let isCommitted = try await isCommitted(error, jobs, answer.withLock { $0 })
            try settle(error, isCommitted)
        }
        return answer.withLock { $0 }
    }

    /// - Returns: nil when they can't go alone, because nothing could tell of a lost answer: the
    ///   server's process is hidden by a pooler, or completed jobs of the queue leave no row.
    private func settledAlone(_ jobs: [NewJob]) async throws -> [EnqueuedJob]? {
        guard try await kept.keepsAll(jobs, pool) else { return nil }
        do {
            return try await alone(jobs)
        } catch let error as PostgresError where error.code == .unknownCommit {
            let found = try await find(jobs, error)
            try settle(error, !found.isEmpty)
            let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
            return jobs.map { byID[$0.id] ?? $0.enqueued }
        }
    }

    private func alone(_ jobs: [NewJob]) async throws -> [EnqueuedJob]? {
        guard jobs.count == 1, jobs[0].isBare else {
            if jobs.allSatisfy(\.isPlain) {
                let written = try await pool.commit(
                    alone: InsertJobs(jobs: jobs, ifKept: true), followedBy: following?.follower())
                return written?.rows == [Int64(jobs.count)] ? jobs.map(\.enqueued) : nil
            }
            let rows = try await pool.commit(
                alone: EnqueueJobs(jobs, ifKept: true), followedBy: following?.follower()
            )?.rows
            return rows?.isEmpty == true ? nil : rows
        }
        guard let mode = jobs[0].mode else {
            let written = try await pool.commit(
                alone: InsertJob(job: jobs[0], ifKept: true), followedBy: following?.follower())
            return written?.count == 1 ? [jobs[0].enqueued] : nil
        }
        let answer = try await pool.commit(
            alone: Supersede(job: jobs[0], mode: mode, ifKept: true),
            followedBy: following?.follower())
        guard let generation = answer?.rows.first ?? nil else { return nil }
        return [EnqueuedJob(id: jobs[0].id, generation: generation, result: .enqueued)]
    }

    /// Tells, and returns if it is committed.
    /// - Throws: what may be tried again, when it is not.
    private func settle(_ error: PostgresError, _ isCommitted: Bool) throws {
        logger.warning(
            "an enqueue's answer was lost and its outcome found out",
            metadata: .init([.jobOutcome: isCommitted ? "committed" : "rolled back"]))
        if isCommitted { return }
        if let late = error.cause as? PostgresError, late.code == .deadlineExceeded { throw late }
        throw PostgresError(
            .connectionLost, "the enqueue was rolled back: its connection broke")
    }

    /// The rows of jobs that went alone, as soon as no more can come; none if it was rolled back.
    /// - Throws: `TenureError` with `.unknownEnqueue`, and nothing that would be tried again.
    private func find(_ jobs: [NewJob], _ error: PostgresError) async throws -> [EnqueuedJob] {
        guard let unknown = error.unknownCommit else { throw Self.unknown("has no name", error) }
        do {
            guard try await pool.resolve(unknown, deadline: settlingDeadline) != .inProgress else {
                throw Self.unknown("its outcome is still open", error)
            }
            let found = try await pool.confirmed(
                FindJobs(jobs: jobs), deadline: settlingDeadline)
            let queues = Array(Set(jobs.map(\.queue)))
            if found.isEmpty,
                try await pool.execute(FindEnqueued(enqueued: [], queues: queues))[0].mayHaveLeft
            {
                throw Self.unknown("its queue keeps no completed jobs that could tell", nil)
            }
            return found
        } catch let asking as PostgresError {
            throw Self.unasked(asking)
        }
    }

    /// - Throws: `TenureError` with `.unknownEnqueue`, and nothing that would be tried again.
    private func isCommitted(
        _ error: PostgresError, _ jobs: [NewJob], _ enqueued: [EnqueuedJob]
    ) async throws -> Bool {
        guard let unknown = error.unknownCommit else { throw Self.unknown("has no id", error) }
        do {
            switch try await pool.resolve(unknown, deadline: settlingDeadline) {
            case .committed: return true
            case .aborted: return false
            case .ambiguous, .tooOld: return try await isThere(enqueued, jobs)
            case .inProgress: throw Self.unknown("its outcome is still open", error)
            }
        } catch let asking as PostgresError {
            throw Self.unasked(asking)
        }
    }

    /// The server crashed, and the id may be another transaction's: the rows tell.
    private func isThere(_ enqueued: [EnqueuedJob], _ jobs: [NewJob]) async throws -> Bool {
        // A job that was there before proves nothing; and where nothing was written, nothing was
        // lost.
        let enqueued = enqueued.filter { $0.result != .kept }
        if enqueued.isEmpty { return true }
        let queues = Array(Set(jobs.map(\.queue)))
        let answer = try await pool.confirmed(
            FindEnqueued(enqueued: enqueued, queues: queues), deadline: settlingDeadline)[0]
        if !answer.isThere, answer.mayHaveLeft {
            throw Self.unknown("its queue keeps no completed jobs that could tell", nil)
        }
        return answer.isThere
    }

    private static func unasked(_ error: PostgresError) -> TenureError {
        error.code == .notReplicated
            ? unknown("no standby has confirmed it since", error)
            : unknown("the database could not be asked since", error)
    }

    private static func unknown(_ why: String, _ cause: (any Error)?) -> TenureError {
        TenureError(
            .unknownEnqueue,
            "the connection broke during COMMIT and \(why); the jobs may be enqueued: look for "
                + "their ids before sending them again",
            cause: cause)
    }
}
