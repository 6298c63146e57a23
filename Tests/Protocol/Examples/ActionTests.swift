import TenurePostgres
import TestSupport
import Testing

/// Who did what: a row with each act, in its transaction, and none without.
@Suite struct ActionTests {
    /// What is in the audit log of this example's acts, the oldest first.
    private func actions(
        _ example: Example, _ columns: String = "a.verb || ' ' || a.thing || ' ' || a.whom"
    ) async throws -> [String] {
        try await example.rows(
            "SELECT \(columns) FROM tenure.action a WHERE a.at = now() ORDER BY a.last_at, a.id")
    }

    /// Of an example with five jobs and a batch, in an order in which each does something.
    private func verbs(_ own: String, _ jobs: [String], _ batch: String) -> [(String, String)] {
        let job = #"'{"kind": "k"}'"#
        return [
            ("cancel_job('\(jobs[0])', 'ada')", "cancel job ada"),
            ("delete_job('\(jobs[0])', 'ada')", "delete job ada"),
            ("discard_job('\(jobs[1])', 'ada')", "discard job ada"),
            ("edit_job('\(jobs[2])', 'ada', priority => 1)", "edit job ada"),
            ("retry_job('\(jobs[2])', tenure.new_id(), false, 'ada')", "retry job ada"),
            ("repeat_jobs('{\(jobs[1])}', 'ada')", "retry job ada"),
            ("operate_jobs('cancel', '{\(jobs[2])}', 'ada')", "cancel job ada"),
            ("send_signal('\(jobs[3])', 's', NULL, NULL, 'ada', '{}')", "signal job ada"),
            ("limit_queue('\(own)', 3, 'ada')", "limit queue ada"),
            ("set_lane('\(own)', 'l', 3, '0', 'ada')", "set lane ada"),
            ("set_letter('kind', '\(own)', 'l\(own)', NULL, 'ada')", "letter kind ada"),
            ("set_letter('kind', '\(own)', NULL, NULL, 'ada')", "letter kind ada"),
            ("hold_lane('\(own)', 'l', '1 h', 'why', 'ada')", "hold lane ada"),
            ("release_lane('\(own)', 'l', 'ada')", "release lane ada"),
            ("cancel_batch('\(batch)', 'ada')", "cancel batch ada"),
            ("forget_job('\(jobs[4])', true, 'ada')", "forget job ada"),
            ("put_schedule('\(own)', '1 h', NULL, NULL, \(job), true, 'ada')", "set schedule ada"),
        ]
    }

    /// What changes nothing after these, and what isn't an operator's.
    private func noVerbs(_ own: String, _ jobs: [String]) -> [String] {
        [
            "cancel_job('\(jobs[0])', 'ada')", "delete_job('\(jobs[3])', 'ada')",
            "discard_job('\(jobs[0])', 'ada')", "edit_job('\(jobs[0])', 'ada', priority => 1)",
            "retry_job('\(jobs[0])', tenure.new_id(), false, 'ada')",
            "operate_jobs('delete', '{\(jobs[3])}', 'ada')",
            "release_lane('\(own)', 'l', 'ada')", "cancel_batch(tenure.new_id(), 'ada')",
            "set_letter('kind', '\(own)', NULL, NULL, 'ada')", "signal('\(jobs[3])', 's')",
            "hold_lane('\(own)', 'l', '1 h', 'why', NULL)",
            "put_schedule('\(own)', '1 h', NULL, NULL, '{\"kind\": \"k\"}', true)",
        ]
    }

    @Test func `Each verb by SQL leaves its row, and none where nothing changed`() async throws {
        try await Example.runAlone { example in
            let own = example.own
            let jobs = try await example.enqueue(Array(repeating: "", count: 5)).map(\.id)
            let batch = try await example.value("SELECT tenure.new_id()::text")
            try await example.perform("INSERT INTO tenure.batch (id) VALUES ('\(batch)')")
            for (sql, row) in verbs(own, jobs, batch) {
                let before = try await actions(example).count
                try await example.perform("SELECT tenure.\(sql)")
                let after = try await actions(example)
                #expect(after.count == before + 1 && after.last == row, "\(sql): \(after)")
            }
            let all = try await actions(example)
            for sql in noVerbs(own, jobs) {
                try await example.perform("SELECT tenure.\(sql)")
                #expect(try await actions(example) == all, "\(sql)")
            }
        }
    }

    @Test func `A row says from where, as whom and why, and nothing keeps it away`() async throws {
        try await Example.run { example in
            let jobs = try await example.enqueue(Array(repeating: "", count: 4)).map(\.id)
            func cancel(_ job: Int, _ whom: String, _ note: String) async throws -> String {
                try await example.perform(
                    "SELECT tenure.cancel_job('\(jobs[job])', \(whom), \(note))")
                return try await example.value(
                    """
                    SELECT a.whom || ' ' || a.source || ' ' || (a.role = session_user) || ' '
                           || coalesce(a.reason, '-')
                    FROM tenure.action a WHERE a.about @> '{"ids": ["\(jobs[job])"]}'
                    """)
            }
            #expect(
                try await cancel(0, "'ada'", #"'{"source": "cli", "reason": "spam"}'"#)
                    == "ada cli true spam")
            // Who says nothing is told by the log-in; what means nothing is SQL.
            let role = try await example.value("SELECT session_user::text")
            #expect(
                try await cancel(1, "NULL", #"'{"source": "moon", "act": "x"}'"#)
                    == "\(role) sql true -")
            let long = String(repeating: "x", count: 5000)
            let told = try await cancel(2, "'\(long)'", "'{\"reason\": \"\(long)\"}'")
            #expect(told.count == 256 + " sql true ".count + 1024)
            #expect(try await cancel(3, "'ada'", "'[1]'") == "ada sql true -")
        }
    }

    @Test func `An act that goes in bites is one row, and nobody adds to another's`() async throws {
        try await Example.run { example in
            let jobs = try await example.enqueue(Array(repeating: "", count: 6)).map(\.id)
            let act = try await example.value("SELECT gen_random_uuid()::text")
            func operate(_ part: ArraySlice<String>, _ whom: String, _ more: String = "")
                async throws
            {
                try await example.perform(
                    """
                    SELECT tenure.operate_jobs('cancel', '{\(part.joined(separator: ","))}',
                        '\(whom)', '{"act": "\(act)"\(more)}')
                    """)
            }
            try await operate(jobs[0..<2], "ada")
            try await operate(jobs[2..<4], "ada")
            try await operate(jobs[4..<5], "eve")
            try await example.perform(
                "SELECT tenure.discard_job('\(jobs[5])', 'ada', '{\"act\": \"\(act)\"}')")
            let rows = try await actions(
                example, "a.whom || ' ' || a.verb || ' ' || a.jobs || ' ' || (a.about -> 'ids')")
            #expect(rows.count == 3)
            let ids = (jobs[0..<2].sorted() + jobs[2..<4].sorted()).map { "\"\($0)\"" }
                .joined(separator: ", ")
            #expect(rows.contains("ada cancel 4 [\(ids)]"), "\(rows)")
        }
    }

    @Test func `A bulk names its filter, and a hundred ids are shown of more`() async throws {
        try await Example.run { example in
            let jobs = try await example.enqueue(Array(repeating: "", count: 130)).map(\.id)
            let ids = jobs[..<120].joined(separator: ",")
            try await example.perform("SELECT tenure.operate_jobs('cancel', '{\(ids)}', 'ada')")
            try await example.perform(
                """
                SELECT tenure.operate_jobs('cancel', '{\(jobs[120...].joined(separator: ","))}',
                    'ada', '{"filter": {"queue": "\(example.own)"}}')
                """)
            let rows = try await actions(
                example,
                "a.jobs || ' ' || coalesce(jsonb_array_length(a.about -> 'ids')::text, "
                    + "a.about #>> '{filter,queue}')")
            #expect(Set(rows) == ["120 100", "10 \(example.own)"])
        }
    }

    @Test func `An act that is rolled back leaves no row`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue("")[0].id
            try await example.perform("SAVEPOINT before")
            try await example.perform("SELECT tenure.cancel_job('\(job)', 'ada')")
            #expect(try await actions(example).count == 1)
            try await example.perform("ROLLBACK TO before")
            #expect(try await actions(example).isEmpty)
            #expect(try await example.job(job, "state") == "available")
        }
    }

    @Test func `What is old is forgotten in bites, and what is locked waits`() async throws {
        let database = try await ExampleDatabase()
        let first = try await database.connect()
        let other = try await database.connect()
        defer {
            first.close()
            other.close()
        }
        try await first.simple(
            """
            INSERT INTO tenure.action (id, at, last_at, verb, thing, whom, source, role, about)
            SELECT gen_random_uuid(), t.at, t.at, 'v', 't', n::text, 'sql', 'r', '{}'
            FROM generate_series(1, 6) AS n, LATERAL (
                SELECT CASE n WHEN 5 THEN 'infinity' WHEN 6 THEN clock_timestamp()
                              ELSE clock_timestamp() - make_interval(days => 10 * n) END) AS t (at)
            """)
        func drop() async throws -> Int32 {
            try await first.query("SELECT tenure.drop_actions('15 d', 2)") { try $0.decode(0) }[0]
        }
        try await other.simple("BEGIN; SELECT FROM tenure.action WHERE whom = '4' FOR UPDATE")
        #expect(try await drop() == 2)
        #expect(try await drop() == 0)
        try await other.simple("COMMIT")
        #expect(try await drop() == 1)
        let left = try await first.query("SELECT whom FROM tenure.action ORDER BY whom") {
            try $0.decode(0, as: String.self)
        }
        #expect(left == ["1", "5", "6"])
    }
}
