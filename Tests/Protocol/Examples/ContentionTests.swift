import TenurePostgres
import Testing

/// What two transactions do to each other where no lock makes one wait for the other, or where one
/// must not wait.
@Suite struct ContentionTests {
    static func pair(
        _ body: (_ first: Example, _ second: Example) async throws -> Void
    ) async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        for connection in connections {
            try await connection.simple("SET statement_timeout = '20s'")
        }
        try await body(
            Example(connection: connections[0], own: "own"),
            Example(connection: connections[1], own: "own"))
    }

    @Test func `Whoever locks one of many completed runs holds up the others for a moment`()
        async throws
    {
        try await Self.pair { first, second in
            let session = try await first.openSession()
            let jobs = try await first.enqueue("", "", "").map(\.id)
            try await first.claim(session)
            try await second.perform(
                "BEGIN; SELECT FROM tenure.job WHERE id = '\(jobs[1])' FOR UPDATE")
            // It would wait until its statement timed out.
            let left = try await first.rows(
                """
                SELECT c.id::text FROM (
                    SELECT array_agg(j.id) AS ids, array_agg(j.fence) AS fences,
                           array_agg(j.ctid) AS places
                    FROM tenure.job j) AS a, tenure.complete_group(a.ids, a.fences, a.places) AS c
                """)
            #expect(left == [jobs[1]])
            #expect(try await first.past(jobs[0], "outcome") == "completed")
            #expect(try await first.job(jobs[1], "state") == "running")
            try await second.perform("ROLLBACK")
        }
    }

    /// In a rolling upgrade most lanes hold what older workers don't read.
    @Test func `Who reads nothing of a lane does not keep it from those that do`() async throws {
        try await Self.pair { first, second in
            let session = try await first.openSession()
            try await first.enqueue(
                #""lane": "new", "payload_version": 2"#, #""lane": "held""#,
                #""lane": "later", "after": "1 hour""#)
            try await first.perform(
                "UPDATE tenure.job SET hold_versions = '{1}' WHERE lane = 'held'")
            try await first.perform("BEGIN")
            #expect(try await first.claim(session, more: ", wanted_versions => '{1}'") == [])
            let free = try await second.rows(
                "SELECT l.name FROM tenure.lane l ORDER BY l.name FOR NO KEY UPDATE SKIP LOCKED")
            #expect(free == ["held", "new"], "only the lane without a due job was looked at alone")
            try await first.perform("COMMIT")
            let waiting = try await second.rows(
                """
                SELECT h.lane || ' ' || (h.turn_at <= clock_timestamp())
                FROM tenure.lane_holders h ORDER BY h.lane
                """)
            #expect(waiting == ["held true", "later false", "new true"])
        }
    }

    /// Between the statement's snapshot and the row's lock, where nothing waits: a gate is put
    /// there.
    @Test(arguments: ["is claimed", "is claimed and handed back", "gets a new place"])
    func `A job that moves while a claim looks at it is never taken twice`(
        what: String
    ) async throws {
        try await Self.pair { first, second in
            try await second.perform(Self.gate)
            let sessions = [try await first.openSession(), try await second.openSession()]
            let job = try await second.enqueue("")[0].id
            try await second.perform("SELECT pg_advisory_lock(1)")
            try await first.perform("SET tenure.gated = 'yes'")
            let claim = Task { try await first.claim(sessions[0]) }
            while try await second.value(Self.waiting) == "0" {}
            if what == "gets a new place" {
                try await second.perform("UPDATE tenure.job SET trace = 'moved'")
            } else {
                #expect(try await second.claim(sessions[1]) == [job])
                if what != "is claimed" { try await second.end(job, "handed_back") }
            }
            try await second.perform("SELECT pg_advisory_unlock(1)")
            // At its new place it is claimed by the statement behind the lock.
            let isTaken = what == "gets a new place"
            #expect(try await claim.value == (isTaken ? [job] : []))
            try await first.perform("SET tenure.gated = ''")
            let isLeft = what == "is claimed and handed back"
            #expect(try await first.claim(sessions[0]) == (isLeft ? [job] : []))
            #expect(
                try await first.job(job, "runs")
                    == (what == "is claimed and handed back" ? "2" : "1"))
        }
    }

    @Test func `A claim that waits for its queue takes nothing of a kind paused meanwhile`()
        async throws
    {
        try await Self.pair { first, second in
            let sessions = [try await first.openSession(), try await second.openSession()]
            try await first.perform("SELECT tenure.limit_queue('own', 5)")
            let jobs = try await first.enqueue("", "").map(\.id)
            let pid = try await second.value("SELECT pg_backend_pid()::text")
            try await first.perform("BEGIN")
            #expect(try await first.claim(sessions[0], 1) == [jobs[0]])
            let claim = Task { try await second.claim(sessions[1]) }
            let waits = "SELECT count(*)::text FROM pg_locks WHERE pid = \(pid) AND NOT granted"
            while try await first.value(waits) == "0" {}
            try await first.perform(
                """
                INSERT INTO tenure.kind (name, paused_at) VALUES ('own', clock_timestamp());
                COMMIT
                """)
            #expect(try await claim.value == [])
            #expect(try await first.job(jobs[1], "state") == "available")
        }
    }

    @Test func `A queue's first count is waited for by nobody`() async throws {
        try await Self.pair { first, second in
            let load = "SELECT (m.pending)::text FROM tenure.read_capacity('own') AS m"
            try await first.perform(
                """
                INSERT INTO tenure.queue (name, capacity) VALUES ('own', 5);
                SELECT tenure.enqueue('x', queue => 'own')
                """)
            try await first.perform("BEGIN")
            #expect(try await first.value(load) == "1")
            try await second.perform("SET lock_timeout = '100ms'")
            #expect(try await second.value(load) == "1")
            try await first.perform("COMMIT")
            #expect(
                try await second.value("SELECT count(*)::text FROM tenure.queue_capacity") == "1")
        }
    }

    /// Where history is in other hands for long, the next turn does it.
    @Test func `Who forgets old steps waits for half a second, and no longer`() async throws {
        try await Self.pair { first, second in
            try await first.perform("BEGIN; LOCK TABLE tenure.job_history")
            try await first.perform("LOCK TABLE tenure.job_step")
            try await second.perform("BEGIN; SET LOCAL statement_timeout = '10s'")
            #expect(try await second.refusal("SELECT tenure.drop_steps('0')") == "55P03")
        }
    }

    /// In this test's own database: others wait at gates of theirs.
    private static let waiting = """
        SELECT count(*)::text FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted
        """

    /// The gate is in the claim's filter, which is asked after the snapshot and before the lock.
    private static let gate = """
        CREATE FUNCTION tenure.pass_gate() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
        BEGIN
            IF current_setting('tenure.gated', true) = 'yes' THEN
                PERFORM pg_advisory_lock_shared(1);
                PERFORM pg_advisory_unlock_shared(1);
            END IF;
            RETURN true;
        END $$;
        DO $$
        DECLARE
            body text := pg_get_functiondef('tenure.claim'::regproc);
            gated text := replace(body, 'AND c.kind = ANY (wanted_kinds)',
                                  'AND c.kind = ANY (wanted_kinds) AND tenure.pass_gate()');
        BEGIN
            ASSERT body <> gated, 'the claim has changed';
            EXECUTE gated;
        END $$
        """
}
