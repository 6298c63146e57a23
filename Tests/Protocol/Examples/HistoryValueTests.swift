import Testing

/// What history says of a job is what the job said of itself, column by column, whichever way it
/// ended. Each column that both have is given a value, a new one too; `HistoryColumnTests` sees to
/// it that each is named.
@Suite struct HistoryValueTests {
    enum Way: CaseIterable {
        case cancelledWhilePending, discardedByARun, completedAlone, completedWithOthers, folded

        /// What jobs that go this way don't have.
        var without: [String] {
            switch self {
            case .cancelledWhilePending: ["fence", "session_id", "claimed_at"]
            case .discardedByARun: ["lane"]
            case .completedAlone: ["lane", "batch_id"]
            case .completedWithOthers: ["lane", "generation", "key"]
            case .folded: ["lane", "generation", "key", "batch_id"]
            }
        }
        var jobs: Int { self == .folded ? 20 : 1 }
        /// Fewer are written one by one.
        var ahead: String { self == .folded ? ", NULL, NULL, 20" : "" }
    }

    /// Gives each column that is null a value of its type.
    private func fill(_ way: Way, in example: Example) async throws {
        let without = way.without + ["fence", "session_id", "claimed_at"]
        try await example.perform(
            """
            DO $$
            DECLARE
                c record;
            BEGIN
                FOR c IN
                    SELECT a.attname AS name, format_type(a.atttypid, -1) AS type
                    FROM pg_attribute a JOIN pg_attribute h USING (attname)
                    WHERE a.attrelid = 'tenure.job'::regclass AND a.attnum > 0
                      AND h.attrelid = 'tenure.job_history'::regclass
                      AND a.attname <> ALL ('{\(without.joined(separator: ","))}')
                LOOP
                    EXECUTE format(
                        'UPDATE tenure.job j SET %1$I = coalesce(j.%1$I, %2$s) WHERE j.kind = %3$L',
                        c.name,
                        CASE c.type WHEN 'text' THEN quote_literal('its ' || c.name)
                             WHEN 'uuid' THEN 'tenure.new_id()' WHEN 'jsonb' THEN '''{"a": 1}'''
                             WHEN 'timestamp with time zone' THEN 'clock_timestamp()'
                             WHEN 'boolean' THEN 'true' ELSE '7' END, '\(example.own)');
                END LOOP;
            END $$
            """)
    }

    /// `column = value` of all jobs, of the columns that jobs and history share.
    private func values(of table: String, in example: Example) async throws -> [String] {
        try await example.rows(
            """
            SELECT t.id || ': ' || e.key || ' = ' || e.value
            FROM \(table) t CROSS JOIN LATERAL jsonb_each(to_jsonb(t)) AS e
            WHERE t.kind = '\(example.own)' AND e.key IN (
                SELECT a.attname FROM pg_attribute a JOIN pg_attribute h USING (attname)
                WHERE a.attrelid = 'tenure.job'::regclass AND a.attnum > 0
                  AND h.attrelid = 'tenure.job_history'::regclass)
            ORDER BY t.id, e.key
            """)
    }

    @Test(arguments: Way.allCases)
    func `history has the values of each column`(_ way: Way) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let isKeyed = !way.without.contains("key")
            let given =
                #""priority": 1, "payload_version": 3, "max_attempts": 9"#
                + (isKeyed ? #", "key": "a""# : "")
            let ids = try await example.enqueue(Array(repeating: given, count: way.jobs)).map(\.id)
            try await fill(way, in: example)
            if way != .cancelledWhilePending {
                let claimed = try await example.claim(session, 20, more: way.ahead)
                #expect(claimed.count == way.jobs)
            }
            let before = try await values(of: "tenure.job_seen", in: example)
            let nulls = before.filter { $0.hasSuffix("= null") }
            #expect(nulls.count == way.without.count * way.jobs, "no value: \(nulls)")
            try await end(ids, way, in: example)
            #expect(try await values(of: "tenure.job", in: example) == [])
            #expect(try await values(of: "tenure.job_history", in: example) == before)
        }
    }

    private func end(_ ids: [String], _ way: Way, in example: Example) async throws {
        switch way {
        case .cancelledWhilePending:
            _ = try await example.value("SELECT tenure.cancel_job('\(ids[0])', 'me')")
        case .discardedByARun:
            #expect(try await example.end(ids[0], "discarded") == "discarded")
        case .completedAlone:
            #expect(
                try await example.value(
                    """
                    SELECT tenure.complete_run(j.id, j.fence, NULL)::text FROM tenure.job j
                    WHERE j.id = '\(ids[0])'
                    """) == "true")
        case .completedWithOthers, .folded:
            #expect(
                try await example.value(
                    """
                    SELECT (SELECT count(*) FROM tenure.complete_group(
                                r.ids, r.fences, r.places))::text
                    FROM (SELECT array_agg(j.id) AS ids, array_agg(s.fence) AS fences,
                                 array_agg(j.ctid) AS places
                          FROM tenure.job j JOIN tenure.job_seen s USING (id)
                          WHERE j.kind = '\(example.own)') AS r
                    """) == "0")
        }
    }
}
