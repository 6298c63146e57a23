import Testing

/// One row for the plain jobs of a claim: what everybody sees of their runs, and what becomes of
/// them (docs/decisions/claim-rows.md).
@Suite struct ClaimRowTests {
    private static let ahead = ", NULL, NULL, 20"

    /// Plain jobs claimed by one row.
    private static func claim(
        _ count: Int = 20, in example: Example
    ) async throws -> (session: String, jobs: [String]) {
        let session = try await example.openSession()
        try await example.enqueue(Array(repeating: "", count: count))
        let jobs = try await example.claim(session, 100, more: ahead)
        #expect(jobs.count == count)
        #expect(try await rows(in: example) == "1")
        return (session, jobs)
    }

    private static func rows(in example: Example) async throws -> String {
        try await example.value(
            "SELECT count(*)::text FROM tenure.claim_row WHERE queue = '\(example.own)'")
    }

    private static func states(_ table: String, in example: Example) async throws -> String {
        try await example.value(
            """
            SELECT string_agg(s.state || ' ' || s.count, ', ' ORDER BY s.state) FROM (
                SELECT j.state, count(*) FROM \(table) j
                WHERE j.queue = '\(example.own)' GROUP BY j.state) AS s
            """)
    }

    private static func complete(_ jobs: [String], in example: Example) async throws -> String {
        try await example.value(
            """
            SELECT count(*)::text FROM (
                SELECT array_agg(j.id) AS ids, array_agg(j.fence) AS fences
                FROM tenure.job_seen j WHERE j.id IN ('\(jobs.joined(separator: "', '"))')) AS a,
            tenure.complete_group(a.ids, a.fences) AS c
            """)
    }

    @Test func `Jobs that one row speaks for run, and nobody else gets them`() async throws {
        try await Example.run { example in
            let (session, jobs) = try await Self.claim(in: example)
            #expect(try await Self.states("tenure.job", in: example) == "available 20")
            #expect(try await Self.states("tenure.job_seen", in: example) == "running 20")
            let other = try await example.openSession()
            #expect(try await example.claim(other, 100, more: Self.ahead).isEmpty)
            #expect(try await example.claim(other, 3).isEmpty)
            #expect(try await example.claim(session, 100, more: Self.ahead).isEmpty)
            let due = "tenure.next_due('\(example.own)', '{\(example.own)}')"
            #expect(try await example.value("SELECT due_in::text FROM \(due)") == "NULL")
            let pending = "SELECT tenure.count_pending('\(example.own)', 100)::text"
            #expect(try await example.value(pending) == "0")
            #expect(
                try await example.value(
                    """
                    SELECT count(DISTINCT r.fence) || ' ' || max(r.fence) - min(r.fence)
                    FROM tenure.run_seen r WHERE r.session_id = \(session)
                    """) == "20 19")
            #expect(try await Self.complete(jobs, in: example) == "0")
            #expect(try await example.past(jobs[3], "attempt || ' ' || runs") == "1 1")
            #expect(try await example.past(jobs[3], "session_id") == session)
        }
    }

    @Test func `What is not plain is written beside those that one row speaks for`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(
                Array(repeating: "", count: 16) + [
                    #""key": "a""#, #""not_after": "2100-01-01T00:00:00Z""#,
                ])
            #expect(try await example.claim(session, 100, more: Self.ahead).count == 18)
            #expect(try await Self.states("tenure.job", in: example) == "available 16, running 2")
            #expect(try await Self.states("tenure.job_seen", in: example) == "running 18")
        }
    }

    @Test func `Few jobs, or few that wait for a slot, are written one by one`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(Array(repeating: "", count: 20))
            #expect(try await example.claim(session, 20, more: ", NULL, NULL, 10").count == 20)
            try await example.enqueue("", "")
            #expect(try await example.claim(session, 100, more: Self.ahead).count == 2)
            #expect(try await Self.rows(in: example) == "0")
        }
    }

    @Test func `Every end of such a run is the end of a run`() async throws {
        try await Example.run { example in
            let (_, jobs) = try await Self.claim(in: example)
            let failure = ", 'error_code', 'x', 'error_message', 'y'"
            #expect(try await example.end(jobs[0], "failed", more: failure) == "retryable")
            #expect(try await example.job(jobs[0], "attempt || ' ' || runs") == "1 1")
            #expect(try await example.end(jobs[1], "handed_back") == "available")
            #expect(try await example.end(jobs[2], "discarded") == "discarded")
            #expect(
                try await example.end(jobs[3], "snoozed", more: ", 'delay', '1 h'")
                    == "scheduled")
            let fence = "(SELECT j.fence FROM tenure.job_seen j WHERE j.id = '\(jobs[4])')"
            try await example.perform("SELECT tenure.hold_run('\(jobs[4])', \(fence))")
            let next = "(SELECT j.fence FROM tenure.job_seen j WHERE j.id = '\(jobs[5])')"
            try await example.perform("SELECT tenure.keep_step('\(jobs[5])', \(next), 'a step')")
            try await example.perform("SELECT tenure.finish('\(jobs[4])', \(fence), result => '1')")
            #expect(try await example.past(jobs[4], "outcome || ' ' || attempt") == "completed 1")
            let cancel = "SELECT tenure.cancel_job('\(jobs[6])', 'me')"
            #expect(try await example.value(cancel) == "cancelling")
            #expect(try await example.end(jobs[6], "completed") == "cancelled")
            let discard = "SELECT tenure.discard_job('\(jobs[7])', 'me')"
            #expect(try await example.value(discard) == "running")
            let retry = "SELECT result FROM tenure.retry_job('\(jobs[8])', tenure.new_id())"
            #expect(try await example.value(retry) == "kept")
            // Claimed anew, they are written, and their fences are newer.
            let other = try await example.openSession()
            let again = try await example.claim(other, 100, more: Self.ahead)
            #expect(Set(again) == [jobs[0], jobs[1]])
        }
    }

    @Test func `A verdict says what has become of such a run`() async throws {
        try await Example.run { example in
            let (session, jobs) = try await Self.claim(in: example)
            let verdicts = """
                SELECT string_agg(v.tag, ', ') FROM (
                    SELECT array_agg(r.id) AS ids, array_agg(r.fence) AS fences
                    FROM tenure.run_seen r WHERE r.session_id = \(session)) AS a,
                tenure.read_verdicts(a.ids, a.fences) AS v
                """
            #expect(try await example.value(verdicts) == "NULL")
            try await example.perform("SELECT tenure.cancel_job('\(jobs[6])', 'me')")
            #expect(try await example.value(verdicts) == "cancelled")
            let unknown = """
                SELECT count(*)::text FROM tenure.beat(\(session), '{}', '{}', 0, NULL)
                WHERE tag = 'unknown'
                """
            #expect(try await example.value(unknown) == "20")
        }
    }

    @Test func `A fence is this job's, or it completes nothing`() async throws {
        try await Example.run { example in
            let (_, jobs) = try await Self.claim(in: example)
            let left = """
                SELECT count(*)::text FROM (
                    SELECT array_agg(j.id) AS ids, array_agg(j.fence + 1) AS fences,
                           array_agg(t.ctid) AS places
                    FROM tenure.job_seen j JOIN tenure.job t ON t.id = j.id
                    WHERE j.queue = '\(example.own)') AS a,
                tenure.complete_group(a.ids, a.fences, a.places) AS c
                """
            #expect(try await example.value(left) == "20")
            #expect(try await Self.states("tenure.job_seen", in: example) == "running 20")
            #expect(jobs.count == 20)
        }
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `Any number as a fence is a lost one, and no matter for others`(
        fence: Int64
    ) async throws {
        try await Example.run { example in
            let (_, jobs) = try await Self.claim(in: example)
            let left = """
                SELECT c.id::text FROM (
                    SELECT array_agg(j.id) AS ids, array_agg(
                        CASE WHEN j.id = '\(jobs[0])' THEN '\(fence)'::bigint
                             ELSE j.fence END) AS fences
                    FROM tenure.job_seen j WHERE j.queue = '\(example.own)') AS a,
                tenure.complete_group(a.ids, a.fences) AS c
                """
            #expect(try await example.rows(left) == [jobs[0]])
            #expect(try await Self.states("tenure.job_seen", in: example) == "running 1")
        }
    }

    @Test func `A claim row that is gone is the lost fence`() async throws {
        try await Example.run { example in
            let (session, jobs) = try await Self.claim(in: example)
            let late = """
                SELECT array_agg(j.id)::text || '; ' || array_agg(j.fence)::text
                FROM tenure.job_seen j WHERE j.queue = '\(example.own)'
                """
            let parts = try await example.value(late).split(separator: "; ").map(String.init)
            try await example.perform(
                """
                SELECT FROM tenure.claim(\(session), 'other', '{k}', 1, over => array(
                    SELECT c.number FROM tenure.claim_row c WHERE c.session_id = \(session)))
                """)
            #expect(try await Self.states("tenure.job_seen", in: example) == "available 20")
            let complete =
                "SELECT count(*)::text FROM tenure.complete_group('\(parts[0])', '\(parts[1])')"
            #expect(try await example.value(complete) == "20")
            let other = try await example.openSession()
            #expect(try await example.claim(other, 100, more: Self.ahead).count == jobs.count)
        }
    }

    @Test func `An id that comes back is a new job, and waits for nobody`() async throws {
        try await Example.run { example in
            let (_, jobs) = try await Self.claim(in: example)
            #expect(try await Self.complete([jobs[0]], in: example) == "0")
            try await example.perform("SELECT tenure.delete_job('\(jobs[0])')")
            try await example.enqueue(#""id": "\#(jobs[0])""#)
            let other = try await example.openSession()
            #expect(try await example.claim(other, 1) == [jobs[0]])
        }
    }

    @Test func `What a dead session had not begun goes back, what it had is charged`() async throws
    {
        try await Example.run { example in
            let (session, jobs) = try await Self.claim(in: example)
            try await example.perform(
                """
                UPDATE tenure.session SET says_begun = true WHERE id = \(session);
                SELECT tenure.note_begun(\(session), '\(example.own)', 1, 0, array_agg(r.fence),
                                         array_agg(r.fence))
                FROM tenure.run_seen r
                WHERE r.session_id = \(session) AND r.id IN ('\(jobs[0])', '\(jobs[1])');
                SELECT tenure.declare_dead(\(session), 0, NULL)
                """)
            let reclaim = "SELECT count(*)::text FROM tenure.reclaim_runs(100)"
            #expect(try await example.value(reclaim) == "20")
            #expect(try await Self.rows(in: example) == "0")
            #expect(try await Self.states("tenure.job", in: example) == "available 20")
            let attempts =
                "SELECT sum(attempt)::text FROM tenure.job WHERE queue = '\(example.own)'"
            #expect(try await example.value(attempts) == "2")
            let done =
                "SELECT (reclaimed_at IS NOT NULL)::text FROM tenure.session WHERE id = \(session)"
            #expect(try await example.value(done) == "true")
        }
    }

    @Test func `A claim row of a minute ago makes place for rows of its runs`() async throws {
        try await Example.run { example in
            let (_, jobs) = try await Self.claim(in: example)
            #expect(try await Self.complete([jobs[0]], in: example) == "0")
            try await example.perform("SELECT tenure.sweep_claims(10)")
            #expect(try await Self.rows(in: example) == "1")
            try await example.perform(
                """
                UPDATE tenure.claim_row SET claimed_at = claimed_at - interval '2 min';
                SELECT tenure.sweep_claims(10)
                """)
            #expect(try await Self.rows(in: example) == "0")
            #expect(try await Self.states("tenure.job", in: example) == "running 19")
        }
    }

    @Test func `A claim row that somebody has damaged stops nobody else`() async throws {
        try await Example.run { example in
            let (session, _) = try await Self.claim(in: example)
            try await example.perform(
                """
                UPDATE tenure.claim_row SET ids = ids || NULL::uuid, made = made[1:3]
                WHERE session_id = \(session)
                """)
            let other = try await example.openSession()
            try await example.enqueue("")
            #expect(try await example.claim(other, 100, more: Self.ahead).count == 18)
            #expect(try await Self.states("tenure.job_seen", in: example) == "running 21")
            try await example.perform("SELECT tenure.declare_dead(\(session), 0, NULL)")
            let reclaim = "SELECT count(*)::text FROM tenure.reclaim_runs(100)"
            #expect(try await example.value(reclaim) == "3")
        }
    }

    @Test func `Who keeps an old snapshot decides nothing about a job that may run`() async throws {
        try await Example.run { example in
            try await example.perform("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ")
            let jobs = try await example.enqueue("")
            #expect(
                try await example.refusal("SELECT tenure.cancel_job('\(jobs[0].id)', 'me')")
                    == "25000")
        }
    }
}
