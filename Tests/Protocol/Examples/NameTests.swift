import Tenure
import Testing

/// Names that would not show as they are, and what else SQL callers hear when a job is wrong.
@Suite struct NameTests {
    @Test func `SQL and Swift refuse the same characters in names`() async throws {
        try await Example.run { example in
            let refused = try await example.value(
                """
                SELECT string_agg(n::text, ',' ORDER BY n)
                FROM generate_series(1, 66000) AS n
                WHERE n NOT BETWEEN 55296 AND 57343 AND NOT tenure.is_plain('a' || chr(n) || 'b')
                """)
            let expected = (1...66000).compactMap { Unicode.Scalar(UInt32($0)) }.filter {
                JobLimits.wrong(name: "a\($0)b", longest: 9) != nil
            }
            #expect(refused == expected.map { "\($0.value)" }.joined(separator: ","))
            #expect(expected.count > 70)
        }
    }

    @Test func `A name with a control character is refused wherever SQL takes one`() async throws {
        try await Example.run { example in
            let name = "E'a\\u2028b'"
            for call in [
                "tenure.enqueue(\(name))", "tenure.enqueue('k', queue => \(name))",
                "tenure.enqueue('k', key => \(name))", "tenure.enqueue('k', lane => \(name))",
                "tenure.enqueue_jobs(jsonb_build_array(jsonb_build_object('kind', \(name))))",
                """
                tenure.add_job(tenure.new_id(), 'k', \(name), '{}', 1::int2, 5::int2, 25, NULL,
                               '0', NULL, NULL, NULL, false)
                """,
                """
                tenure.add_jobs(ARRAY[tenure.new_id()], ARRAY['k'], ARRAY[\(name)], '{"{}"}',
                                '{1}', '{5}', '{25}', NULL, '{0}', NULL, NULL, NULL, false)
                """,
                """
                tenure.supersede(tenure.new_id(), 'k', 'q', '{}', 1::int2, 5::int2, 25, NULL, '0',
                                 NULL, NULL, NULL, false, \(name), true)
                """,
                "tenure.open_session('worker', \(name), '1', '30 s', '{}', '{}')",
                "tenure.open_session('worker', 'w', '1', '30 s', ARRAY[\(name)], '{}')",
                "tenure.set_lane('q', \(name), 1, '0', 'me')",
                "tenure.set_letter('kind', \(name), 'l')",
                "tenure.set_letter('queue', 'q', 'l', \(name))",
                """
                tenure.open_session('worker', 'w', '1', '30 s', '{}', '{}', letters =>
                    jsonb_build_object('k', jsonb_build_object('kind', \(name))))
                """,
                "tenure.hold_lane('q', \(name), '1 s', NULL, 'me')",
                "tenure.limit_queue(\(name), 1)",
                "tenure.put_schedule(\(name), '1 h', NULL, NULL, '{}', true)",
            ] {
                let refusal = try await example.refusal("SELECT \(call)")
                #expect(refusal == "TN003", "\(call)")
            }
        }
    }

    @Test(arguments: [
        ("mode => 'keeping'", "a job's mode is keeping, but it has no key; give a key, or leave"),
        ("payload => NULL", "a job's payload is null; leave it out, or give JSON"),
        ("run_at => 'infinity'", "a job's run_at is infinity; give a time in the years 1 to 9999"),
        ("run_at => '-infinity'", "a job's run_at is -infinity; give a time in the years 1 to"),
        ("not_after => 'infinity'", "a job's not_after is infinity; give a time in the years"),
        ("not_after => '-infinity'", "a job's not_after is -infinity; give a time in the years"),
        ("after => '300000 years'", "a job's run time is infinity; give a time in the years"),
        ("priority => 40000", "a job's priority is 40000; give 0 to 9"),
        ("payload_version => 0", "a job's payload_version is 0; give 1 to 32767"),
        ("lane_max_running => 2", "a job's lane_max_running is given, but no lane; give a lane"),
        ("lane => 'l', lane_max_running => 0", "a job's lane_max_running is 0; give 1 to 1000000"),
        ("queue => E'a\\u001bb'", "a job's queue has the control character U+001B; remove it"),
        ("key => ''", "a job's key has 0 bytes; give 1 to 1024"),
    ])
    func `what is wrong is said in one line`(_ argument: String, _ line: String) async throws {
        try await Example.run { example in
            try await example.perform(
                """
                CREATE FUNCTION pg_temp.said() RETURNS text LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM tenure.enqueue('\(example.own)', \(argument));
                    RETURN 'nothing';
                EXCEPTION WHEN SQLSTATE 'TN003' THEN
                    RETURN SQLERRM;
                END $$
                """)
            let said = try await example.value("SELECT pg_temp.said()")
            #expect(said.hasPrefix(line) && !said.contains("\n"), "\(said)")
        }
    }

    @Test func `a lane's limits, an expiry and a batch come in by name`() async throws {
        try await Example.run { example in
            let batch = "00000000-0000-7000-8000-0000000000b1"
            try await example.perform("SELECT tenure.start_batch('\(batch)')")
            let made = try await example.value(
                """
                SELECT job_id::text FROM tenure.enqueue(
                    '\(example.own)', queue => '\(example.own)', lane => 'l',
                    lane_max_running => 3, lane_min_interval => '2 s', expires_in => '1 h',
                    batch_id => '\(batch)', payload_version => 4)
                """)
            let job = try await example.value(
                """
                SELECT concat_ws(' ', j.batch_id, j.payload_version, l.max_running, l.min_interval,
                                 j.not_after > clock_timestamp())
                FROM tenure.job j JOIN tenure.lane l ON l.queue = j.queue AND l.name = j.lane
                WHERE j.id = '\(made)'
                """)
            #expect(job == "\(batch) 4 3 00:00:02 t")
        }
    }

    @Test func `what a release has held is not due for it`() async throws {
        try await Example.run { example in
            try await example.enqueue("")
            try await example.perform(
                "UPDATE tenure.job SET hold_versions = '{1}' WHERE queue = '\(example.own)'")
            for (release, due) in [("'1'", "false"), ("'2'", "true"), ("NULL", "true")] {
                let found = try await example.value(
                    """
                    SELECT (d.due_in IS NOT NULL)::text FROM tenure.next_due(
                        '\(example.own)', '{\(example.own)}', release => \(release)) AS d
                    """)
                #expect(found == due, "release \(release)")
            }
        }
    }

    @Test func `a claim takes no newer payload than its kinds read`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(
                #""payload_version": 2"#, "", #""payload_version": 2, "lane": "l""#)
            let read = ", wanted_versions => '{1}'"
            #expect(try await example.claim(session, more: read) == ["\(jobs[1].id)"])
            let due = try await example.value(
                """
                SELECT concat(d.due_in) FROM tenure.next_due(
                    '\(example.own)', '{\(example.own)}'\(read)) AS d
                """)
            #expect(due == "", "what it doesn't read is not due for it")
            let held = "tenure.release_held('{\(example.own)}', 'r', "
            try await example.perform(
                """
                UPDATE tenure.job SET state = 'held', hold_versions = '{x}'
                WHERE id = '\(jobs[0].id)'
                """)
            #expect(try await example.value("SELECT released::text FROM \(held)'{1}')") == "0")
            #expect(try await example.value("SELECT released::text FROM \(held)'{2}')") == "1")
            let rest = try await example.claim(session, more: ", wanted_versions => '{2}'")
            #expect(Set(rest) == ["\(jobs[0].id)", "\(jobs[2].id)"])
        }
    }
}
