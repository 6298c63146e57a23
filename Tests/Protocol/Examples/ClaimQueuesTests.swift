import Testing

/// One call for many queues is what a claim of each would be.
@Suite struct ClaimQueuesTests {
    private static func claim(
        _ example: Example, _ session: String, _ queues: [String], _ wanted: Int
    ) async throws -> [String] {
        try await example.rows(
            """
            SELECT c.queue || coalesce(' ' || c.lane, '')
                || CASE WHEN c.id IS NULL THEN ' left ' || coalesce(c.runs::text, 'alone')
                        ELSE '' END
            FROM tenure.claim_queues(
                \(session), '{\(queues.joined(separator: ","))}', '{\(example.own)}',
                array_fill(\(wanted), ARRAY[\(queues.count)]),
                array_fill(0, ARRAY[\(queues.count)])) AS c
            """)
    }

    private static func fill(
        _ example: Example, _ queue: String, _ count: Int, more: String = ""
    ) async throws {
        try await example.perform(
            """
            SELECT count(*) FROM tenure.enqueue_jobs((
                SELECT jsonb_agg(jsonb_build_object(
                    'kind', '\(example.own)', 'queue', '\(queue)'\(more)))
                FROM generate_series(1, \(count))))
            """)
    }

    @Test func `Each queue gives at most what was asked for, and one without due jobs nothing`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let queues = ["a", "b", "c", "d"].map { example.own + $0 }
            try await Self.fill(example, queues[0], 3)
            try await Self.fill(example, queues[1], 1)
            try await Self.fill(example, queues[2], 1, more: ", 'after', '1 hour'")
            try await Self.fill(example, queues[2], 1, more: ", 'priority', 9")
            #expect(
                try await Self.claim(example, session, queues, 2) == [
                    queues[0], queues[0], queues[1], queues[2],
                ])
            #expect(try await Self.claim(example, session, queues, 2) == [queues[0]])
            #expect(try await Self.claim(example, session, queues, 2) == [])
        }
    }

    @Test func `Lanes are claimed from, and those that were called`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let queues = ["a", "b"].map { example.own + $0 }
            try await Self.fill(example, queues[1], 2, more: ", 'lane', 'host'")
            let host = queues[1] + " host"
            #expect(try await Self.claim(example, session, queues, 5) == [host])
            #expect(try await Self.claim(example, session, queues, 5) == [])
            let id = try await example.value(
                "SELECT id::text FROM tenure.job WHERE queue = '\(queues[1])' AND fence IS NOT NULL"
            )
            #expect(try await example.end(id, "completed") == "completed")
            #expect(try await Self.claim(example, session, queues, 5) == [host])
        }
    }

    @Test func `A queue with a limit, and one that is paused, are not claimed from`() async throws {
        try await Example.runAlone { example in
            let session = try await example.openSession()
            let queues = ["a", "b", "c"].map { example.own + $0 }
            for queue in queues { try await Self.fill(example, queue, 1) }
            try await example.perform(
                """
                SELECT tenure.limit_queue('\(queues[0])', 1);
                INSERT INTO tenure.queue (name, paused_at) VALUES ('\(queues[1])', now())
                """)
            #expect(
                try await Self.claim(example, session, queues, 5) == [
                    queues[0] + " left alone", queues[2],
                ])
        }
    }

    @Test func `A call that has brought enough leaves the rest for the next`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let queues = ["a", "b", "c"].map { example.own + $0 }
            for queue in queues { try await Self.fill(example, queue, 600) }
            let rows = try await Self.claim(example, session, queues.reversed(), 500)
            #expect(rows.count == 1001 && rows.last == queues[0] + " left 0")
        }
    }

    @Test func `Each queue goes on where its own claims ended, and claim rows that are over go`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let queues = ["a", "b"].map { example.own + $0 }
            for queue in queues { try await Self.fill(example, queue, 40) }
            let call = """
                tenure.claim_queues(
                    \(session), '{\(queues.joined(separator: ","))}', '{\(example.own)}',
                    '{20,20}', '{20,20}'
                """
            let rows = """
                SELECT count(*)::text FROM tenure.claim_row c WHERE c.session_id = \(session)
                """
            let first = "SELECT count(DISTINCT c.id)::text FROM \(call)) AS c"
            #expect(try await example.value(first) == "40")
            #expect(try await example.value(rows) == "2")
            // From b's position, and from a's head, where claim rows speak for what lies there.
            let next = """
                WITH last AS (
                    SELECT j.run_at, j.id, tenure.claim_of(r.fence) AS number
                    FROM tenure.run_seen r JOIN tenure.job j ON j.id = r.id
                    WHERE r.queue = '\(queues[1])' ORDER BY j.run_at DESC, j.id DESC LIMIT 1)
                SELECT string_agg(c.queue || ((c.run_at, c.id) > (l.run_at, l.id)), ' '
                                  ORDER BY c.queue)
                FROM last l, \(call), NULL,
                    array_fill(NULL::timestamptz, ARRAY[11]) || array_fill(l.run_at, ARRAY[11]),
                    array_fill(NULL::uuid, ARRAY[10]) || array_fill(l.id, ARRAY[10]),
                    ARRAY[l.number], ARRAY[NULL, l.number]) AS c
                """
            let b = Array(repeating: queues[1] + "true", count: 20)
            let expected = Array(repeating: queues[0] + "false", count: 20) + b
            #expect(try await example.value(next) == expected.joined(separator: " "))
            #expect(try await example.value(rows) == "3")
        }
    }

    @Test func `A session that is over claims nothing`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            try await Self.fill(example, example.own, 1)
            try await example.perform("SELECT tenure.close_session(\(session))")
            let refusal = try await example.refusal(
                """
                SELECT FROM tenure.claim_queues(
                    \(session), '{\(example.own)}', '{\(example.own)}', '{1}', '{0}')
                """)
            #expect(refusal == "TN002")
        }
    }
}
