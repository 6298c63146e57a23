import Testing

/// The last lines that runs have logged, kept with their jobs.
@Suite struct RunLogTests {
    private func log(_ job: String, _ example: Example) async throws -> String {
        try await example.value(
            """
            SELECT coalesce(string_agg(e.line ->> 'message', ' ' ORDER BY l.fence, e.place), '')
            FROM tenure.job_log l
            CROSS JOIN LATERAL jsonb_array_elements(l.lines) WITH ORDINALITY AS e (line, place)
            WHERE l.job_id = '\(job)'
            """)
    }

    private func lines(_ words: String...) -> String {
        "[\(words.map { "{\"message\": \"\($0)\"}" }.joined(separator: ", "))]"
    }

    private func fence(_ job: String, _ example: Example) async throws -> String {
        try await example.value("SELECT j.fence::text FROM tenure.job_seen j WHERE j.id = '\(job)'")
    }

    @Test(arguments: ["completed", "failed", "snoozed", "discarded", "handed_back", "held"])
    func `They come with the run's end, whatever that is`(wanted: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let also = #"{"log": \#(lines("one", "two"))}"#
            let ways: [(String) -> String] = [
                { "SELECT FROM tenure.finish(\($0), '\(wanted)', also => '\(also)')" },
                {
                    let (job, fence) = ($0.split(separator: ",")[0], $0.split(separator: ",")[1])
                    return """
                        SELECT FROM tenure.finish_chunk(
                            ARRAY[\(job)::uuid], ARRAY[\(fence)::bigint], '{\(wanted)}',
                            also => ARRAY['\(also)'::jsonb])
                        """
                },
                {
                    let (job, fence) = ($0.split(separator: ",")[0], $0.split(separator: ",")[1])
                    return """
                        SELECT FROM tenure.end_runs(jsonb_build_array(jsonb_build_object(
                            'id', \(job), 'fence', \(fence), 'wanted', '\(wanted)',
                            'also', '\(also)'::jsonb)), true)
                        """
                },
            ]
            for (number, way) in ways.enumerated() {
                let job = try await example.enqueue(number == 1 ? #""key": "a""# : "")[0].id
                try await example.claim(session)
                try await example.perform(way("'\(job)',\(try await fence(job, example))"))
                #expect(try await log(job, example) == "one two", "\(number)")
                try await example.perform("DELETE FROM tenure.job WHERE kind = '\(example.own)'")
            }
        }
    }

    @Test func `A checkpoint's are replaced by what comes later`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue("")[0].id
            try await example.claim(try await example.openSession())
            let fence = try await fence(job, example)
            for words in [lines("one"), lines("one", "two")] {
                try await example.perform(
                    "SELECT FROM tenure.hold_run('\(job)', \(fence), log => '\(words)')")
            }
            #expect(try await log(job, example) == "one two")
            let also = #"{"log": \#(lines("two", "three"))}"#
            try await example.perform(
                "SELECT FROM tenure.finish('\(job)', \(fence), also => '\(also)')")
            #expect(try await log(job, example) == "two three")
        }
    }

    @Test func `A late run leaves none`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue("")[0].id
            try await example.claim(try await example.openSession())
            let fence = Int(try await fence(job, example))! + 1
            let also = #"{"log": \#(lines("late"))}"#
            let became = try await example.value(
                """
                SELECT e.became FROM tenure.end_runs(jsonb_build_array(jsonb_build_object(
                    'id', '\(job)', 'fence', \(fence), 'wanted', 'completed',
                    'also', '\(also)'::jsonb)), true) AS e
                """)
            #expect(became == "late")
            #expect(
                try await example.refusal(
                    "SELECT tenure.finish('\(job)', \(fence), also => '\(also)')") == "TN001")
            #expect(
                try await example.refusal(
                    "SELECT tenure.hold_run('\(job)', \(fence), log => '\(lines("late"))')")
                    == "TN001")
            #expect(try await log(job, example) == "")
        }
    }

    @Test func `Ends that come twice, or without a log, or with a null for one, are taken`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            for also in [
                #"{"log": \#(lines("a"))}"#, #"{"log": null}"#, #"{"log": []}"#, "null",
            ] {
                let job = try await example.enqueue("")[0].id
                try await example.claim(session)
                let fence = try await fence(job, example)
                let end = """
                    {"id": "\(job)", "fence": \(fence), "wanted": "completed", "also": \(also)}
                    """
                let became = try await example.rows(
                    """
                    SELECT DISTINCT e.became
                    FROM tenure.end_runs('[\(end), \(end)]'::jsonb, true) AS e
                    """)
                #expect(became == ["completed"], "\(also)")
            }
            let job = try await example.enqueue("")[0].id
            try await example.claim(session)
            let fence = try await fence(job, example)
            for also in [#"["log"]"#, #""log""#, "7"] {
                let call = "SELECT tenure.finish('\(job)', \(fence), also => '\(also)')"
                #expect(try await example.refusal(call) == "TN003", "\(also)")
            }
        }
    }

    @Test func `Of a job's runs the last five are kept`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue("")[0].id
            let session = try await example.openSession()
            for run in 1...8 {
                try await example.claim(session)
                let also = #"{"log": \#(lines("\(run)"))}"#
                try await example.end(job, "snoozed", more: ", 'also', '\(also)'::jsonb")
            }
            #expect(try await log(job, example) == "4 5 6 7 8")
        }
    }

    @Test(arguments: [
        ("{}", "is given as object"), ("\"a\"", "is given as string"),
        ("[{}]", "has a line without a message"), ("[\"a\"]", "has a line without a message"),
        (#"[{"message": 1}]"#, "has a line without a message"),
        (#"[{"message": "a", "level": 7}]"#, "has a line whose level or time is no short text"),
        (#"[{"message": "a", "at": {}}]"#, "has a line whose level or time is no short text"),
        (#"[{"message": "a", "level": "a\nb"}]"#, "has a line whose level or time is no short"),
        (#"[{"message": "a", "z": 1}]"#, "has a line with a field that nobody reads"),
        (
            "[\(Array(repeating: #"{"message": ""}"#, count: 201).joined(separator: ","))]",
            "has 201 lines"
        ),
        (#"[{"message": "\#(String(repeating: "x", count: 262_144))"}]"#, "has 262161 bytes"),
    ])
    func `What is no log is refused, and ends nothing`(log: String, words: String) async throws {
        try await Example.run { example in
            try await example.makeSaid()
            let job = try await example.enqueue("")[0].id
            try await example.claim(try await example.openSession())
            let fence = try await fence(job, example)
            for call in [
                "finish('\(job)', \(fence), also => '{\"log\": \(log)}')",
                "finish_chunk('{\(job)}', '{\(fence)}', '{completed}', "
                    + "also => ARRAY['{\"log\": \(log)}'::jsonb])",
                "hold_run('\(job)', \(fence), log => '\(log)')",
                "end_runs('[{\"id\": \"\(job)\", \"fence\": \(fence), \"wanted\": \"completed\", "
                    + "\"also\": {\"log\": \(log)}}]'::jsonb, true)",
            ] {
                let said = try await example.said("tenure.\(call)")
                #expect(said.contains("a run's log \(words)"), "\(said)")
            }
            #expect(
                try await example.value(
                    "SELECT j.state::text FROM tenure.job_seen j WHERE j.id = '\(job)'")
                    == "running")
        }
    }
}
