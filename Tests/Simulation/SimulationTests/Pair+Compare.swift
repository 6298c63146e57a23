import Simulation
import Tenure
import TenureFoundation
import TenurePostgres
import TenureWorker

/// Answers and tables, in a form that can be compared.
extension Pair {
    enum Number { case fence, generation, session }

    /// What a call came to: a value, or the refusal that both sides know.
    func answer<Value>(
        _ body: () async throws -> Value
    ) async throws -> Result<Value, StoreRefusal> {
        do {
            return .success(try await body())
        } catch let refusal as StoreRefusal {
            return .failure(refusal)
        } catch let error as PostgresError {
            guard let state = error.sqlState, state.hasPrefix("TN") || state == "40001" else {
                throw error
            }
            return .failure(StoreRefusal(sqlState: state, detail: error.detail))
        }
    }

    func compare<Real, Simulated>(
        _ real: Result<Real, StoreRefusal>, _ simulated: Result<Simulated, StoreRefusal>,
        _ what: String, _ values: (Real, Simulated) throws -> Void
    ) throws {
        switch (real, simulated) {
        case (.success(let a), .success(let b)): try values(a, b)
        case (.failure(let a), .failure(let b)):
            try expect(
                a.sqlState == b.sqlState && a.detail == b.detail, "\(what): \(a) and \(b)")
        default: throw Difference(description: "\(what): \(real) and \(simulated)")
        }
    }

    func text(of line: BeatLine, number: (Number, Int64) -> Int64) -> String {
        switch line {
        case .renewed(let beat): "beat \(beat)"
        case .verdict(let job, .lost): "\(job) lost"
        case .verdict(let job, .cancelled(let who)): "\(job) cancelled by \(who)"
        case .verdict(let job, .superseded(let generation)):
            "\(job) superseded by \(number(.generation, generation.rawValue))"
        case .unknown(let run): "\(run.job) unknown \(number(.fence, run.fence.rawValue))"
        case .peer(let session, let beat, let lease):
            "peer \(number(.session, session.rawValue)) \(beat) \(lease)"
        case .clock(_, let steps): "clock \(steps)"
        case .stop(let whom): "stop by \(whom)"
        case .dead(let session): "dead \(number(.session, session.rawValue))"
        case .other(let tag): tag
        }
    }

    func text(of line: BeatLine, number: (Int64) -> Int64) -> String {
        text(of: line) { _, value in number(value) }
    }

    // MARK: Tables

    private struct RealJob {
        let id: JobID
        let text: String
        let generation: Int64?
        let fence: Int64?
        let session: Int64?
        let runAt: Int64
        let createdAt: Int64
    }

    func compareJobs() async throws {
        let real = try await pool.query(Self.jobs) { row in
            RealJob(
                id: JobID(try row.decode(0, as: UUID.self)), text: try row.decode(1),
                generation: try row.decode(2), fence: try row.decode(3),
                session: try row.decode(4), runAt: try row.decode(5, as: Int64.self) * 1000,
                createdAt: try row.decode(6, as: Int64.self) * 1000)
        }
        try expect(
            Set(real.map(\.id)) == Set(store.jobs.map(\.id)),
            "unfinished: \(real.map(\.id)) and \(store.jobs.map(\.id))")
        for job in real {
            guard let mine = store.jobs.first(where: { $0.id == job.id }) else { continue }
            try expect(job.text == mine.text, "job \(job.id): \(job.text) and \(mine.text)")
            try expect(
                generations.same(mine.generation, job.generation)
                    && fences.same(mine.fence, job.fence)
                    && sessionIDs.same(mine.session, job.session),
                "numbers of job \(job.id)")
            store.adopt(runAt: job.runAt, createdAt: job.createdAt, of: job.id)
        }
        let lanes = try await pool.query(Self.lanes) { row in
            (
                try row.decode(0, as: String.self), try row.decode(1, as: String.self),
                try row.decode(2, as: Int64?.self), try row.decode(3, as: Int64.self)
            )
        }
        for (queue, name, next, turn) in lanes {
            let lane = LaneName(QueueName(queue), name)
            try expect(store.lanes[lane] != nil, "lane \(name)")
            store.adopt(nextAt: next.map { $0 * 1000 } ?? .min, turnAt: turn * 1000, of: lane)
        }
    }

    func compareTables() async throws {
        try await compareHistory()
        let subjects = try await pool.query(Self.subjects) { row in
            (
                try row.decode(0, as: String.self), try row.decode(1, as: Int64.self),
                try row.decode(2, as: Int64.self), try row.decode(3, as: Int64.self)
            )
        }
        try expect(subjects.count == store.subjects.count, "subjects")
        for (name, issued, floor, committed) in subjects {
            let mine = store.subjects.first { $0.key.kind.rawValue + "/" + $0.key.key == name }
            try expect(
                generations.same(mine?.value.issued, issued)
                    && generations.same(mine?.value.floor, floor)
                    && generations.same(mine?.value.committed, committed), "subject \(name)")
        }
        let sessions = try await pool.query(Self.sessions) { row in
            (try row.decode(0, as: Int64.self), try row.decode(1, as: String.self))
        }
        for (id, text) in sessions {
            let mine = store.sessions.first { sessionIDs.real(of: $0.id) == id }
            try expect(mine?.text == text, "session \(id): \(text)")
        }
    }

    private func compareHistory() async throws {
        let history = try await pool.query(Self.history) {
            (JobID(try $0.decode(0, as: UUID.self)), try $0.decode(1, as: String.self))
        }
        let real = history.map { "\($0.0) \($0.1)" }.sorted()
        let mine = store.history.map { "\($0.job.id) \($0.text)" }.sorted()
        let odd = Set(real).symmetricDifference(Set(mine)).sorted()
        try expect(odd.isEmpty && real.count == mine.count, "history: \(odd)")
        let errors = try await pool.query(Self.errors) { row in
            (
                JobID(try row.decode(0, as: UUID.self)), try row.decode(1, as: Int64.self),
                try row.decode(2, as: String.self)
            )
        }
        let theirs = errors.map { "\($0.0) \($0.1) \($0.2)" }.sorted()
        let ours = store.errors.map {
            "\($0.job) \(fences.real(of: $0.fence)) \($0.attempt) \($0.code)"
        }.sorted()
        try expect(theirs == ours, "attempt errors: \(theirs) and \(ours)")
    }
}

extension Pair {
    private static let jobs = """
        SELECT id, concat_ws(' ', state, attempt, max_attempts, runs, refunds, waits_for_key,
                   waits_for_jobs, has_waiters, payload, payload_version, priority,
                   coalesce(lane, '-'), coalesce(ending_by, '-'),
                   coalesce(array_to_string(hold_versions, ','), '-'), retry_of),
               generation, fence, session_id,
               (extract(epoch FROM run_at - to_timestamp(1700000000)) * 1000000)::int8,
               (extract(epoch FROM created_at - to_timestamp(1700000000)) * 1000000)::int8
        FROM tenure.job
        """
    private static let lanes = """
        SELECT l.queue, l.name,
               CASE WHEN h.n > 0 AND h.next_at > '-infinity' THEN
                   (extract(epoch FROM h.next_at - to_timestamp(1700000000)) * 1000000)::int8 END,
               (extract(epoch FROM least(h.turn_at, '2100-01-01') - to_timestamp(1700000000))
                   * 1000000)::int8
        FROM tenure.lane l JOIN tenure.lane_holders h ON h.queue = l.queue AND h.lane = l.name
        """
    private static let subjects = """
        SELECT kind || '/' || key, issued, floor, committed FROM tenure.subject
        """
    private static let sessions = """
        SELECT id, concat_ws(' ', beat, ended_at IS NOT NULL, reclaimed_at IS NOT NULL,
                             coalesce(died, false)) FROM tenure.session
        """
    private static let history = """
        SELECT id, concat_ws(' ', outcome, attempt, runs, payload, result, superseded_by)
        FROM tenure.job_history
        """
    private static let errors = """
        SELECT job_id, fence, concat_ws(' ', attempt, code) FROM tenure.attempt_error
        """
}

extension JobRow {
    fileprivate var text: String {
        let parts: [String] = [
            state.rawValue, "\(attempt)", "\(maxAttempts)", "\(runs)", "\(refunds)",
            waitsForKey ? "t" : "f", waitsForJobs ? "t" : "f", hasWaiters ? "t" : "f", payload,
            "\(payloadVersion)", "\(priority)", lane ?? "-",
            endingBy ?? "-", holdVersions.isEmpty ? "-" : holdVersions.joined(separator: ","),
        ]
        return (parts + [retryOf?.description].compactMap(\.self)).joined(separator: " ")
    }
}

extension HistoryRow {
    fileprivate var text: String {
        let parts: [String?] = [
            outcome, "\(attempt)", "\(job.runs)", job.payload, result, supersededBy?.description,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension SessionRow {
    fileprivate var text: String {
        func sign(_ value: Bool) -> String { value ? "t" : "f" }
        return "\(beat) \(sign(isOver)) \(sign(isReclaimed)) \(sign(hasDied))"
    }
}

extension Verdict {
    var late: LateResult.Became {
        switch self {
        case .lost: .lost
        case .cancelled: .cancelled
        case .superseded: .superseded
        }
    }
}
