import Testing

/// What goes a short way comes to the same as what goes the long one.
@Suite struct ShortWayTests {
    /// The arguments of `tenure.enqueue` beside the kind, with and without what sends a job the
    /// long way.
    @Test(arguments: [
        "", "payload => 'null'", "payload => '[1, {\"a\": \"é\"}]'", "priority => 0",
        "max_attempts => 10000, payload_version => 32767", "after => '1 h'", "after => '-1 h'",
        "run_at => '2001-01-01 00:00:00+00'", "run_at => '2101-01-01 00:00:00+00', after => '1 s'",
        "trace => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'", "overlap => false",
        "priority => NULL, queue => NULL, max_attempts => NULL, payload_version => NULL",
        "payload => NULL", "priority => 10", "priority => -1", "max_attempts => 0",
        "max_attempts => 10001", "payload_version => 0", "payload_version => 40000",
        "after => '365001 days'", "after => '-365001 days'", "run_at => 'infinity'",
        "run_at => '0001-12-31 00:00:00+00 BC'", "run_at => '10001-01-01 00:00:00+00'",
        "trace => ''", "trace => repeat('x', 4097)", "queue => ''", "queue => repeat('é', 65)",
        "queue => E'a\\u202eb'", "payload => to_jsonb(repeat('x', 1048577))",
        "payload => (repeat('[', 66) || repeat(']', 66))::jsonb", "payload => '[1e10000]'",
        "max_wait => '1 s'", "mode => 'keeping'", "lane_max_running => 1",
    ])
    func `one job`(_ arguments: String) async throws {
        try await Example.run { example in
            let call = arguments.isEmpty ? "'\(example.own)'" : "'\(example.own)', \(arguments)"
            try await example.perform(Self.said)
            let short = try await example.value(
                "SELECT pg_temp.said($$SELECT job_id FROM tenure.enqueue(\(call))$$)")
            try await example.perform(
                """
                CREATE FUNCTION pg_temp.long(
                    kind text, payload jsonb DEFAULT '{}', queue text DEFAULT 'default',
                    key text DEFAULT NULL, mode text DEFAULT NULL, priority integer DEFAULT 5,
                    run_at timestamptz DEFAULT NULL, after interval DEFAULT NULL,
                    max_attempts integer DEFAULT 25, overlap boolean DEFAULT true,
                    max_wait interval DEFAULT NULL, lane_max_running integer DEFAULT NULL,
                    payload_version integer DEFAULT 1, trace text DEFAULT NULL)
                RETURNS uuid LANGUAGE sql AS $$
                    SELECT e.id FROM tenure.enqueue_any(
                        kind, payload, queue, key, mode, priority, run_at, after, max_attempts,
                        overlap, max_wait, NULL, lane_max_running, NULL, NULL, NULL, NULL, NULL,
                        payload_version, trace, NULL, NULL, NULL, NULL, NULL, NULL,
                        NULL, NULL) AS e
                $$
                """)
            let long = try await example.value(
                "SELECT pg_temp.said($$SELECT pg_temp.long(\(call))$$)")
            #expect(short == long)
            #expect(short.contains(example.own) || short.hasPrefix("TN003"), "\(short)")
        }
    }

    /// What each column of a bulk has for one of its jobs, the middle one: right or wrong.
    @Test(arguments: [
        "", "queue => ''", "key => ''", "key => repeat('x', 1025)", "key => E'a\\u0007'",
        "key => 'first'", "priority => 10", "attempts => 0", "version => 0", "after => '365001 d'",
        "run_at => 'infinity'", "run_at => '2101-01-01 00:00:00+00'", "trace => ''",
        "trace => 'some', overlap => false", "overlap => NULL", "payload => '\"long\"'",
        "payload => (repeat('[', 66) || repeat(']', 66))::jsonb", "mode => NULL",
    ])
    func `bulks of superseding jobs`(_ arguments: String) async throws {
        try await Example.run { example in
            // Keys that are there, with a job that runs and one that is pending.
            try await example.enqueue(#""key": "middle""#)
            #expect(try await example.claim(try await example.openSession()).count == 1)
            try await example.enqueue(#""key": "last""#)
            try await example.perform(Self.said)
            try await example.perform(Self.bulk(of: example.own))
            func said(_ isLong: Bool) async throws -> String {
                try await example.perform("SAVEPOINT before")
                let more = arguments.isEmpty ? "\(isLong)" : "\(isLong), \(arguments)"
                let said = try await example.value(
                    "SELECT pg_temp.said($$SELECT e.id FROM pg_temp.bulk(\(more)) AS e$$)")
                let jobs = try await example.rows(
                    """
                    SELECT concat_ws(' ', h.key, h.outcome, h.reason, s.key)
                    FROM tenure.job_history h JOIN tenure.job s ON s.id = h.superseded_by
                    WHERE h.kind = '\(example.own)'
                    UNION ALL
                    SELECT concat_ws(' ', s.key, s.issued = j.generation, s.floor = s.issued,
                                     s.committed, j.state)
                    FROM tenure.subject s LEFT JOIN tenure.job j ON j.kind = s.kind
                        AND j.key = s.key
                    WHERE s.kind = '\(example.own)' ORDER BY 1
                    """)
                try await example.perform("ROLLBACK TO before")
                return ([said] + jobs).joined(separator: "\n")
            }
            let short = try await said(false)
            #expect(try await said(true) == short)
            #expect(short.contains("superseded before it ran") || short.hasPrefix("TN003"))
        }
    }

    /// What a call that returns ids says, or what became of its jobs.
    private static let said = """
        CREATE FUNCTION pg_temp.said(call text) RETURNS text LANGUAGE plpgsql AS $$
        DECLARE
            ids uuid[];
        BEGIN
            EXECUTE 'SELECT array(' || call || ')' INTO ids;
            RETURN (
                SELECT string_agg(concat_ws(
                    ' ', j.kind, j.queue, j.key, j.payload, j.payload_version, j.priority,
                    j.max_attempts, j.state, j.calendar, j.trace, j.waits_for_key,
                    j.generation IS NULL,
                    date_trunc('minute', j.run_at - clock_timestamp() + interval '30 s')), '; '
                    ORDER BY j.key)
                FROM tenure.job j WHERE j.id = ANY (ids));
        EXCEPTION WHEN SQLSTATE 'TN003' THEN
            RETURN SQLSTATE || ' ' || SQLERRM;
        END $$
        """

    private static func bulk(of own: String) -> String {
        """
        CREATE FUNCTION pg_temp.bulk(
            is_long boolean, queue text DEFAULT 'q', key text DEFAULT 'middle',
            priority integer DEFAULT 5, attempts integer DEFAULT 25, version integer DEFAULT 1,
            after interval DEFAULT '0', run_at timestamptz DEFAULT NULL, trace text DEFAULT NULL,
            overlap boolean DEFAULT true, payload jsonb DEFAULT '{}',
            mode text DEFAULT 'superseding')
        RETURNS SETOF tenure.enqueued LANGUAGE sql AS $$
            SELECT e.* FROM tenure.enqueue_many(
                array(SELECT tenure.new_id() FROM generate_series(1, 3)),
                array_fill('\(own)'::text, '{3}'), ARRAY['q', queue, 'q'],
                ARRAY['first', key, 'last'], ARRAY['superseding', mode, 'superseding'],
                ARRAY['1', payload, '3'], ARRAY[1, version, 1]::smallint[],
                ARRAY[5, priority, 5]::smallint[], ARRAY[NULL, run_at, NULL],
                ARRAY['0', CASE WHEN run_at IS NULL THEN after END, '0']::interval[],
                ARRAY[25, attempts, 25], ARRAY[true, overlap, true],
                CASE WHEN is_long THEN array_fill(NULL::interval, '{3}') END, NULL, NULL, NULL,
                NULL, NULL, ARRAY[NULL, trace, NULL], NULL, NULL, true, NULL) AS e
        $$
        """
    }
}
