import Testing

/// Fields of a job's object that nobody would read: each way in refuses them, and says what to do.
@Suite struct FieldTests {
    @Test(arguments: [
        (#"[{"kind": "k", "prioritty": 1}]"#, #"field "prioritty" is unknown; use priority"#),
        (#"[{"kind": "k"}, {"kind": "k", "runAt": 1}]"#, #"field "runAt" is unknown; use run_at"#),
        (#"[{"kind": "k", "run_att": "x"}]"#, #"field "run_att" is unknown; use run_at"#),
        (#"[{"kind": "k", "attempts": 3}]"#, #""attempts" is unknown; use max_attempts"#),
        (#"[{"kind": "k", "Key": "a"}]"#, #"field "Key" is unknown; use key"#),
        (#"[{"kind": "k", "invoice": 7}]"#, #""invoice" is unknown; leave it out, or put it into"#),
        (#"[{"kind": "k", "owner": "a"}]"#, #"field "owner" is unknown; leave it out"#),
        (#"[{"kind": "k", "after_ended": []}]"#, #""after_ended" is unknown; use waits: an array"#),
        (#"[{"kind": "k", "after_keys": []}]"#, #""after_keys" is unknown; use waits: an array"#),
        (#"[{"kind": "k", "retry_of": "a"}]"#, #"field "retry_of" is unknown; leave it out"#),
        (#"[{"kind": "k", "notify": true}]"#, #"field "notify" is unknown; leave it out: "#),
        (#"[{"kind": "k", "a\nb": 1}]"#, "field has the control character U+000A; remove it"),
        (#"[{"kind": "k", "": 1}]"#, "field has 0 bytes; give 1 to 128"),
        (#"["k"]"#, "a job is given as string; give an object"),
        (#"[null]"#, "a job is given as null; give an object"),
        (#"{"kind": "k"}"#, "jobs are given as object; give an array of objects"),
        (#""k""#, "jobs are given as string; give an array of objects"),
    ])
    func `A field that nobody reads is refused in one line`(_ jobs: String, _ line: String)
        async throws
    {
        try await Example.run { example in
            try await example.makeSaid()
            for call in [
                "enqueue_jobs('\(jobs)')", "start_batch(tenure.new_id(), '\(jobs)')",
                "finish(tenure.new_id(), 1, follow_ups => '\(jobs)')",
                "finish_chunk('{}', '{}', '{}', follow_ups => '\(jobs)')",
                "hold_run(tenure.new_id(), 1, '\(jobs)')",
            ] {
                let said = try await example.said("tenure.\(call)")
                #expect(said.contains(line) && !said.contains("\n"), "\(call): \(said)")
            }
        }
    }

    @Test func `Every field that is read is taken`() async throws {
        try await Example.run { example in
            try await example.makeSaid()
            let read = try await example.rows(
                """
                SELECT f[1] FROM pg_proc p, regexp_matches(
                    substring(p.prosrc FROM 'jsonb_to_recordset\\(jobs\\) AS \\(([^)]*)\\)'),
                    '(\\w+) \\w+', 'g') AS f
                WHERE p.oid = 'tenure.read_jobs(jsonb)'::regprocedure
                """)
            #expect(read.count == 29)
            // What a job repeats, the library says to itself alone.
            let rest = read.filter { $0 != "kind" && $0 != "retry_of" }.map { "\"\($0)\": null" }
                .joined(separator: ", ")
            let call = #"tenure.enqueue_jobs('[{"kind": "k", \#(rest)}]')"#
            #expect(try await example.said(call) == "nothing")
            // Whose it is, is a schedule's alone.
            let job = #"{"kind": "k", "owner": "app", \#(rest)}"#
            let put = "tenure.put_schedule('\(example.own)', '1 h', NULL, NULL, '\(job)', true)"
            #expect(try await example.said(put) == "nothing")
            let fired = "SELECT f.result FROM tenure.fire_schedules(10) AS f"
            #expect(try await example.value(fired) == "enqueued")
        }
    }

    @Test(arguments: [
        (#"{"kind": "k", "prioritty": 1}"#, #"a job's field "prioritty" is unknown; use priority"#),
        (#"{"kind": "k", "priority": 11}"#, "a job's priority is 11; give 0 to 9"),
        (
            #"{"kind": "k", "key": "a", "mode": "keeping", "within": "-1 h"}"#,
            "a job's within is -01:00:00; give a time of at most 365000 days, or leave it out"
        ),
        (
            #"{"kind": "k", "key": "a", "within": "1 h"}"#,
            "a job's within is given, and mode is superseding; use keeping, or leave within out"
        ),
        (#"{"queue": "q"}"#, "a job's kind is null; give 1 to 128 bytes"),
        ("[]", "a job is given as array; give an object"),
    ])
    func `A schedule's job is looked at when it is put`(_ job: String, _ line: String)
        async throws
    {
        try await Example.run { example in
            try await example.makeSaid()
            let said = try await example.said(
                "tenure.put_schedule('\(example.own)', '1 h', NULL, NULL, '\(job)', true)")
            #expect(said.hasPrefix(line), "\(said)")
        }
    }

    @Test(arguments: [
        ("Europe/Berln", "Europe/Berlin"), ("berlin", "Europe/Berlin"),
        ("America/New York", "America/New_York"), ("Mars/Base", "Europe/Berlin or UTC"),
        ("UTC+2", "Europe/Berlin or UTC"), ("", "Europe/Berlin or UTC"),
    ])
    func `A zone that the database doesn't know is said, with the nearest`(
        _ zone: String, _ near: String
    ) async throws {
        try await Example.run { example in
            try await example.makeSaid()
            func put(_ zone: String) async throws -> String {
                try await example.said(
                    "tenure.put_schedule('a', NULL, '@daily', \(zone), '{\"kind\": \"k\"}', true)")
            }
            #expect(
                try await put("'\(zone)'") == """
                    schedule a: the time zone "\(zone)" is unknown; give a name that \
                    pg_timezone_names has, such as \(near)
                    """)
            #expect(try await put("NULL").hasPrefix("schedule a: the time zone null is unknown"))
            #expect(try await put("'europe/BERLIN'") == "nothing")
            #expect(
                try await put("E'a\\nb'")
                    == "schedule a: the time zone has the control character U+000A; remove it")
        }
    }
}

extension Example {
    /// Makes what `said` calls.
    func makeSaid() async throws {
        try await perform(
            """
            CREATE FUNCTION pg_temp.said(call text) RETURNS text LANGUAGE plpgsql AS $$
            DECLARE
                hint text;
            BEGIN
                EXECUTE 'SELECT ' || call;
                RETURN 'nothing';
            EXCEPTION WHEN SQLSTATE 'TN003' THEN
                GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
                RETURN concat_ws('; ', SQLERRM, nullif(hint, ''));
            END $$
            """)
    }

    /// What a call is refused with: message and hint.
    func said(_ call: String) async throws -> String {
        try await value("SELECT pg_temp.said($call$\(call)$call$)")
    }
}
