import Testing

/// The short way of a claim takes what the long one would, whatever there is.
@Suite struct ClaimFewTests {
    /// Said of ten jobs, whose ids are `jobs` in their order; `own` is their queue and kind.
    static let worlds = [
        "SELECT",
        "UPDATE tenure.job SET priority = 9 - n FROM jobs WHERE jobs.id = job.id",
        "UPDATE tenure.job SET payload_version = n FROM jobs WHERE jobs.id = job.id",
        "UPDATE tenure.job SET hold_versions = '{1}' FROM jobs WHERE jobs.id = job.id AND n < 4",
        "UPDATE tenure.job SET hold_versions = '{2}' FROM jobs WHERE jobs.id = job.id AND n < 4",
        """
        UPDATE tenure.job SET not_after = now() + make_interval(hours => n - 5) FROM jobs
        WHERE jobs.id = job.id
        """,
        "UPDATE tenure.job SET run_at = now() + '1 h' FROM jobs WHERE jobs.id = job.id AND n < 4",
        "UPDATE tenure.job SET kind = 'other' FROM jobs WHERE jobs.id = job.id AND n < 4",
        "UPDATE tenure.job SET attempt = 2147483647, runs = 2147483647",
        """
        WITH b AS (INSERT INTO tenure.batch (id, ending_at) VALUES (tenure.new_id(), now())
                   RETURNING id)
        UPDATE tenure.job SET batch_id = b.id FROM jobs, b WHERE jobs.id = job.id AND n < 4
        """,
        "INSERT INTO tenure.queue (name, paused_at) VALUES ('own', now())",
        "INSERT INTO tenure.queue (name, max_running) VALUES ('own', 2)",
        "INSERT INTO tenure.kind (name, paused_at) VALUES ('own', now())",
        "INSERT INTO tenure.kind (name, paused_at) VALUES ('other', now())",
        """
        SELECT tenure.enqueue_jobs('[{"kind": "own", "queue": "own", "lane": "a"}]')
        """,
        """
        INSERT INTO tenure.claim_row (number, session_id, claimed_at, queue, ids, made)
        SELECT tenure.claim_of(nextval('tenure.fence')), 1, now(), 'own', ARRAY[j.id],
               ARRAY[j.created_at]
        FROM tenure.job j JOIN jobs ON jobs.id = j.id WHERE n IN (1, 3)
        """,
        "SET LOCAL synchronous_commit = off",
        "SET LOCAL enable_indexscan = off",
    ]

    @Test(arguments: worlds, [1, 4, 20])
    func `It takes the same`(world: String, wanted: Int) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue(Array(repeating: "", count: 10))
            try await example.perform(
                """
                CREATE TEMP TABLE jobs ON COMMIT DROP AS
                SELECT j.id, row_number() OVER (ORDER BY j.run_at, j.id)::integer AS n
                FROM tenure.job j WHERE j.queue = '\(example.own)';
                \(world.replacing("own", with: example.own))
                """)
            let arguments = "\(session), '\(example.own)', '{\(example.own)}', \(wanted)"
            let long = try await Self.take("claim(\(arguments), wanted_versions => '{4}')", example)
            let short = try await Self.take("claim_few(\(arguments), '{4}')", example)
            #expect(short == long)
            #expect(short.count > 1 || world.contains("paused_at"))
        }
    }

    /// What was taken, and what the jobs' rows are then; nothing has happened afterwards.
    private static func take(_ call: String, _ example: Example) async throws -> [String] {
        let left = "'fence', 'claimed_at', 'place'"
        try await example.perform("SAVEPOINT before")
        let taken = try await example.rows(
            "SELECT (to_jsonb(c) - ARRAY[\(left)])::text FROM tenure.\(call) AS c ORDER BY 1")
        let rows = try await example.rows(
            """
            SELECT ((to_jsonb(j) - ARRAY[\(left)]) || jsonb_build_object(
                'has_fence', j.fence IS NOT NULL, 'is_new', j.claimed_at IS NOT NULL))::text
            FROM tenure.job j WHERE j.queue = '\(example.own)' ORDER BY j.id
            """)
        let durable = try await example.rows("SHOW synchronous_commit")
        try await example.perform("ROLLBACK TO before")
        return taken + rows + durable
    }

    @Test func `A session that is over claims nothing`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await example.enqueue("")
            _ = try await example.value("SELECT tenure.close_session(\(session))::text")
            for wanted in [0, 1, 2000] {
                let claim = """
                    SELECT tenure.claim_few(
                        \(session), '\(example.own)', '{\(example.own)}', \(wanted))
                    """
                #expect(try await example.refusal(claim) == "TN002")
            }
        }
    }

    /// Somebody is about to declare it dead, and doesn't.
    @Test func `A session whose row somebody has is waited for`() async throws {
        try await ContentionTests.pair { first, second in
            let session = try await first.openSession()
            try await first.enqueue("")
            try await second.perform(
                "BEGIN; SELECT FROM tenure.session s WHERE s.id = \(session) FOR UPDATE")
            async let taken = first.value(
                "SELECT count(*)::text FROM tenure.claim_few(\(session), 'own', '{own}', 5)")
            while try await second.value(
                "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND datname = current_database()") == "0"
            {
                try await second.perform("SELECT pg_sleep(0.01), pg_stat_clear_snapshot()")
            }
            try await second.perform("ROLLBACK")
            #expect(try await taken == "1")
        }
    }
}
