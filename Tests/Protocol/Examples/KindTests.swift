import TenurePostgres
import Testing

/// Kinds that are paused, by an operator or by the breaker.
/// One after the other: the breakers are looked at by one transaction at a time.
@Suite(.serialized) struct KindTests {
    private static let trip = """
        SELECT coalesce(string_agg(t.kind, ','), 'none')
        FROM (SELECT * FROM tenure.trip_breakers(5, '10 min') ORDER BY 1) AS t
        """

    private func pause(_ example: Example, _ kind: String) async throws {
        try await example.perform(
            """
            INSERT INTO tenure.kind (name, paused_at) VALUES ('\(kind)', clock_timestamp())
            ON CONFLICT (name) DO UPDATE SET paused_at = EXCLUDED.paused_at
            """)
    }

    @Test func `A paused kind is not claimed from the queue or a lane, and keeps its order`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue("", #""lane": "a""#, "").map(\.id)
            try await pause(example, example.own)
            #expect(try await example.claim(session).isEmpty)
            let other = try await example.enqueue(#""kind": "other""#)[0].id
            let claim = """
                SELECT c.id::text FROM tenure.claim(
                    \(session), '\(example.own)', '{\(example.own),other}', 10) AS c
                """
            #expect(try await example.rows(claim) == [other])
            let due = """
                SELECT (d.due_in IS NULL)::text
                FROM tenure.next_due('\(example.own)', '{\(example.own)}') AS d
                """
            #expect(try await example.value(due) == "true")
            try await example.perform("UPDATE tenure.kind SET paused_at = NULL")
            #expect(try await example.claim(session) == jobs)
        }
    }

    /// A process claims jobs of these kinds, and dies of it.
    private func die(_ example: Example, _ kinds: String..., sessions: Int = 1) async throws {
        var all: [String] = []
        for _ in 0..<sessions {
            let session = try await example.openSession()
            all.append(session)
            for kind in kinds {
                try await example.enqueue(#""kind": "\#(kind)""#, #""kind": "\#(kind)""#)
            }
            try await example.perform(
                """
                SELECT count(*) FROM tenure.claim(
                    \(session), '\(example.own)', '{\(kinds.joined(separator: ","))}', 100)
                """)
        }
        try await example.perform(
            """
            UPDATE tenure.session SET beaten_at = clock_timestamp(), ended_at = clock_timestamp(),
                died = true WHERE id IN (\(all.joined(separator: ",")));
            SELECT count(*) FROM tenure.reclaim_runs(500);
            DELETE FROM tenure.job WHERE queue = '\(example.own)'
            """)
    }

    /// A run of the kind completes somewhere.
    private func succeed(_ example: Example, _ kind: String) async throws {
        let session = try await example.openSession()
        let job = try await example.enqueue(#""kind": "\#(kind)""#)[0].id
        try await example.perform(
            """
            SELECT count(*) FROM tenure.claim(\(session), '\(example.own)', '{\(kind)}', 1)
            """)
        try await example.end(job, "completed")
    }

    @Test func `The fifth death in a row pauses a kind, with the reason`() async throws {
        try await Example.run { example in
            for _ in 0..<4 { try await die(example, "bad") }
            #expect(try await example.value(Self.trip) == "none")
            try await die(example, "bad")
            #expect(try await example.value(Self.trip) == "bad")
            #expect(
                try await example.value(
                    "SELECT paused_by || ': ' || reason FROM tenure.kind WHERE name = 'bad'")
                    == "the breaker: 5 runs ended with their process within 10 min, and none "
                    + "succeeded")
            #expect(try await example.value(Self.trip) == "none")
        }
    }

    @Test func `Processes that die at the same time are one death`() async throws {
        try await Example.run { example in
            try await die(example, "bad", sessions: 9)
            for _ in 0..<3 { try await die(example, "bad") }
            #expect(try await example.value(Self.trip) == "none")
            try await die(example, "bad")
            #expect(try await example.value(Self.trip) == "bad")
        }
    }

    /// Each claims one job, `apart` after the one before it and half a second after its own last
    /// beat, and dies then; declared dead a lease later.
    private func dieUnseen(_ example: Example, apart: String) async throws {
        var sessions: [String] = []
        for _ in 0..<5 { sessions.append(try await example.openSession()) }
        for session in sessions {
            try await example.enqueue("")
            try await example.claim(session, 1)
        }
        try await example.perform(
            """
            CREATE TEMPORARY TABLE death ON COMMIT DROP AS
            SELECT s.id, clock_timestamp() - interval '5 min' + s.place * interval '\(apart)' AS at
            FROM unnest('{\(sessions.joined(separator: ","))}'::bigint[])
                 WITH ORDINALITY AS s (id, place);
            UPDATE tenure.job j SET claimed_at = d.at FROM death d WHERE d.id = j.session_id;
            UPDATE tenure.session s SET beaten_at = d.at - interval '500 ms',
                ended_at = d.at + interval '30 s', died = true FROM death d WHERE d.id = s.id;
            SELECT count(*) FROM tenure.reclaim_runs(500)
            """)
    }

    @Test func `Processes that die together after their last beats are one death`() async throws {
        try await Example.run { example in
            try await dieUnseen(example, apart: "1 ms")
            #expect(try await example.value(Self.trip) == "none")
        }
    }

    @Test func `Deaths in turn are told apart before they are declared`() async throws {
        try await Example.run { example in
            try await dieUnseen(example, apart: "15 s")
            #expect(try await example.value(Self.trip) == example.own)
        }
    }

    @Test func `A kind that runs in a queue that forgets is not suspected elsewhere either`()
        async throws
    {
        try await Example.run { example in
            try await example.perform(
                "INSERT INTO tenure.queue (name, keep_completed) VALUES ('forgetful', false)")
            try await example.enqueue(#""kind": "bad", "queue": "forgetful""#)
            let session = try await example.openSession()
            let claim = """
                SELECT count(*)::text FROM tenure.claim(\(session), 'forgetful', '{bad}', 1)
                """
            #expect(try await example.value(claim) == "1")
            for _ in 0..<5 { try await die(example, "bad") }
            #expect(try await example.value(Self.trip) == "none")
            try await example.perform("DELETE FROM tenure.job")
            for _ in 0..<5 { try await die(example, "bad") }
            #expect(try await example.value(Self.trip) == "bad")
        }
    }

    @Test func `A success in between lets a kind begin anew`() async throws {
        try await Example.run { example in
            for _ in 0..<3 { try await die(example, "bad") }
            try await succeed(example, "bad")
            for _ in 0..<4 { try await die(example, "bad") }
            #expect(try await example.value(Self.trip) == "none")
            try await die(example, "bad")
            #expect(try await example.value(Self.trip) == "bad")
        }
    }

    @Test func `Who died along is not paused with the one that died alone`() async throws {
        try await Example.run { example in
            for _ in 0..<4 { try await die(example, "bad", "along") }
            try await die(example, "bad")
            #expect(try await example.value(Self.trip) == "bad")
            try await die(example, "along")
            #expect(try await example.value(Self.trip) == "none")
        }
    }

    @Test func `A session that was closed is no death, nor is one of a queue that forgets`()
        async throws
    {
        try await Example.run { example in
            for _ in 0..<6 {
                let session = try await example.openSession()
                try await example.enqueue("")
                try await example.claim(session)
                try await example.perform(
                    """
                    SELECT tenure.close_session(\(session));
                    SELECT count(*) FROM tenure.reclaim_runs(500)
                    """)
            }
            #expect(try await example.value(Self.trip) == "none")
            try await example.perform(
                """
                DELETE FROM tenure.job WHERE queue = '\(example.own)';
                INSERT INTO tenure.queue (name, keep_completed) VALUES ('\(example.own)', false)
                """)
            for _ in 0..<6 { try await die(example, "bad") }
            #expect(try await example.value(Self.trip) == "none")
        }
    }

    @Test func `Deaths are forgotten after the window`() async throws {
        try await Example.run { example in
            for _ in 0..<5 { try await die(example, "bad") }
            try await example.perform("SELECT pg_sleep(0.05)")
            let short = "SELECT count(*)::text FROM tenure.trip_breakers(5, '10 ms')"
            #expect(try await example.value(short) == "0")
            #expect(try await example.value(Self.trip) == "none")
        }
    }
}
