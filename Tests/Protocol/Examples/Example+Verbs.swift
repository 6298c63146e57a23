import Testing

/// The verbs of the protocol as the examples use them.
extension Example {
    /// Jobs by their JSON fields, with the kind and the queue added.
    /// - Returns: `result id`, in the order of the jobs.
    @discardableResult
    func enqueue(_ jobs: String...) async throws -> [(result: String, id: String)] {
        try await enqueue(jobs)
    }

    @discardableResult
    func enqueue(_ jobs: [String]) async throws -> [(result: String, id: String)] {
        let fields = jobs.map {
            #"{"kind": "\#(own)", "queue": "\#(own)"\#($0.isEmpty ? "" : ", ")\#($0)}"#
        }
        return try await rows(
            """
            SELECT e.result || ' ' || e.id
            FROM tenure.enqueue_jobs('[\(fields.joined(separator: ", "))]')
                AS e ORDER BY e.ordinal
            """
        ).map { row in
            let parts = row.split(separator: " ").map(String.init)
            return (result: parts[0], id: parts[1])
        }
    }

    func openSession() async throws -> String {
        try await value("SELECT tenure.open_session('worker', 'w', '1', '30 s', '{}', '{}')::text")
    }

    /// - Returns: the ids, in the order of the claim's fences.
    @discardableResult
    func claim(_ session: String, _ wanted: Int = 10, more: String = "") async throws -> [String] {
        try await rows(
            """
            SELECT c.id::text
            FROM tenure.claim(\(session), '\(own)', '{\(own)}', \(wanted)\(more)) AS c
            ORDER BY c.priority, c.run_at, c.id
            """)
    }

    /// Ends the current run of a job.
    @discardableResult
    func end(_ id: String, _ wanted: String, more: String = "") async throws -> String {
        try await value(
            """
            SELECT e.became FROM tenure.job_seen j, tenure.end_runs(jsonb_build_array(
                jsonb_build_object('id', j.id, 'fence', j.fence,
                'wanted', '\(wanted)'\(more))), true)
                AS e WHERE j.id = '\(id)'
            """)
    }

    /// `column` of an unfinished job.
    func job(_ id: String, _ column: String) async throws -> String {
        try await value("SELECT (\(column))::text FROM tenure.job WHERE id = '\(id)'")
    }

    /// `column` of a finished job.
    func past(_ id: String, _ column: String) async throws -> String {
        try await value("SELECT (\(column))::text FROM tenure.job_history WHERE id = '\(id)'")
    }

    func subject(_ key: String, _ column: String) async throws -> String {
        try await value(
            """
            SELECT (\(column))::text FROM tenure.subject WHERE kind = '\(own)' AND key = '\(key)'
            """)
    }

    /// Until somebody else waits for a lock that this connection has; ten seconds at most.
    func waitUntilBlocking() async throws {
        let blocked = """
            SELECT count(*)::text FROM pg_stat_activity a
            WHERE pg_backend_pid() = ANY (pg_blocking_pids(a.pid))
            """
        for _ in 0..<2000 {
            if try await value(blocked) != "0" { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("nobody waits for a lock of this connection")
    }
}
