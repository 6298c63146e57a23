import Testing

/// Words by which people find a job.
@Suite struct TagTests {
    private func tags(_ job: String, _ example: Example) async throws -> String {
        try await example.value(
            """
            SELECT coalesce(string_agg(t.tag, ' ' ORDER BY t.tag), '')
            FROM tenure.job_tag t WHERE t.job_id = '\(job)'
            """)
    }

    @Test func `They stay with the job, finished or not, and go with it`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(#""tags": ["b", "a", "b"]"#)[0].id
            #expect(try await tags(job, example) == "a b")
            try await example.claim(try await example.openSession())
            try await example.end(job, "discarded", more: ", 'reason', 'r'")
            #expect(try await tags(job, example) == "a b")
            let again = try await example.value(
                "SELECT r.id::text FROM tenure.retry_job('\(job)', tenure.new_id()) AS r")
            #expect(again != job)
            #expect(try await tags(again, example) == "a b")
            #expect(try await example.value("SELECT tenure.delete_job('\(job)')") == "deleted")
            #expect(try await tags(job, example) == "")
            #expect(try await tags(again, example) == "a b")
            let forgotten = "SELECT tenure.forget_job('\(again)', true)"
            #expect(try await example.value(forgotten) == "forgotten")
            #expect(try await tags(again, example) == "")
        }
    }

    @Test func `Each way in takes them`() async throws {
        try await Example.run { example in
            let ways = [
                "SELECT e.job_id::text FROM tenure.enqueue('\(example.own)', tags => '{x,y}') AS e",
                """
                SELECT e.job_id::text
                FROM tenure.enqueue('\(example.own)', key => 'a', tags => '{x,y}') AS e
                """,
                """
                SELECT e.id::text FROM tenure.enqueue_many(
                    ARRAY[tenure.new_id()], '{\(example.own)}', '{q}', '{b}', '{superseding}',
                    ARRAY['{}'::jsonb], '{1}', '{5}', NULL, '{0}', '{25}', '{t}', NULL, NULL, NULL,
                    NULL, NULL, NULL, NULL, NULL, NULL, false, NULL,
                    tags => ARRAY['["x", "y"]'::jsonb]) AS e
                """,
            ]
            for way in ways {
                #expect(try await tags(try await example.value(way), example) == "x y", "\(way)")
            }
            let first = try await example.enqueue(#""key": "c", "after": "1 h""#)[0].id
            let after = #""waits": [{"completed": "\#(first)"}], "tags": ["w"]"#
            let waiter = try await example.enqueue(after)[0].id
            #expect(try await tags(waiter, example) == "w")
            let given = #""id": "01990000-0000-4000-8000-0000000000aa", "tags": ["g"]"#
            let named = try await example.enqueue(given)[0].id
            #expect(try await tags(named, example) == "g")
            // Sent again it changes nothing.
            _ = try await example.value("SELECT tenure.edit_job('\(named)', 'me', tags => '{e}')")
            try await example.enqueue(given)
            #expect(try await tags(named, example) == "e")
        }
    }

    @Test func `A newer content that brings some replaces them`() async throws {
        try await Example.run { example in
            let mode = #""key": "a", "mode": "coalescing""#
            let job = try await example.enqueue(mode + #", "tags": ["one"]"#)[0].id
            try await example.enqueue(mode)
            #expect(try await tags(job, example) == "one")
            try await example.enqueue(mode + #", "tags": ["two"]"#)
            #expect(try await tags(job, example) == "two")
            try await example.enqueue(#""key": "a", "mode": "keeping", "tags": ["three"]"#)
            #expect(try await tags(job, example) == "two")
            let next = try await example.enqueue(#""key": "a""#)[0].id
            #expect(try await tags(next, example) == "")
            #expect(try await tags(job, example) == "two")
        }
    }

    @Test func `An edit replaces them, or takes them away`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(#""tags": ["a", "b"]"#)[0].id
            func edit(_ tags: String) async throws -> String {
                try await example.value("SELECT tenure.edit_job('\(job)', 'me', tags => \(tags))")
            }
            #expect(try await edit("'{b,c}'") == "edited")
            #expect(try await tags(job, example) == "b c")
            _ = try await example.value("SELECT tenure.edit_job('\(job)', 'me', priority => 1)")
            #expect(try await tags(job, example) == "b c")
            #expect(try await edit("'{}'") == "edited")
            #expect(try await tags(job, example) == "")
            try await example.claim(try await example.openSession())
            #expect(try await edit("'{d}'") == "running")
            #expect(try await tags(job, example) == "")
        }
    }

    @Test(arguments: [
        (#""tags": "a""#, "tags are given as string; give an array of strings"),
        (#""tags": {"a": 1}"#, "tags are given as object; give an array of strings"),
        (#""tags": [1]"#, "tag is 1; give a string"),
        (#""tags": [null]"#, "tag is null; give a string"),
        (#""tags": [["a"]]"#, #"tag is ["a"]; give a string"#),
        (#""tags": [""]"#, "tag has 0 bytes; give 1 to 64"),
        (#""tags": ["a\nb"]"#, "tag has the control character U+000A; remove it"),
        (#""tags": ["\#(String(repeating: "é", count: 33))"]"#, "tag has 66 bytes; give 1 to 64"),
        (
            #""tags": [\#((1...11).map { "\"\($0)\"" }.joined(separator: ","))]"#,
            "tags are 11; give at most 10"
        ),
        (#""tag": ["a"]"#, #"field "tag" is unknown"#),
    ])
    func `What is no tag is refused in one line`(job: String, words: String) async throws {
        try await Example.run { example in
            try await example.makeSaid()
            let said = try await example.said(
                #"tenure.enqueue_jobs('[{"kind": "\#(example.own)", \#(job)}]')"#)
            #expect(said.contains(words) && !said.contains("\n"), "\(said)")
        }
    }

    @Test func `What is left of jobs that nobody keeps is swept, so many at a time`() async throws {
        try await Example.run { example in
            // Of times before all others': nobody else's are looked at.
            func id(_ number: Int) -> String { "00000000-0000-7000-8000-00000000000\(number)" }
            for number in 1...4 {
                try await example.enqueue(#""new_id": "\#(id(number))", "tags": ["t"]"#)
                try await example.perform(
                    """
                    INSERT INTO tenure.job_log (job_id, fence, lines)
                    VALUES ('\(id(number))', 1, '[{"message": "m"}]')
                    """)
            }
            let late = "ffffffff-0000-7000-8000-000000000005"
            try await example.enqueue(#""new_id": "\#(late)", "tags": ["t"]"#)
            try await example.claim(try await example.openSession(), 2)
            try await example.end(id(2), "completed")
            try await example.perform(
                "DELETE FROM tenure.job WHERE id IN ('\(id(1))', '\(id(3))', '\(late)')")
            func sweep(_ past: String) async throws -> String {
                try await example.value("SELECT tenure.drop_tags('0', \(past), 2)::text")
            }
            #expect(try await sweep("NULL") == id(2))
            #expect(try await tags(id(1), example) == "")
            #expect(try await tags(id(3), example) == "t")
            #expect(try await sweep("'\(id(2))'") == id(4))
            let left = try await example.rows(
                """
                SELECT t.job_id::text FROM tenure.job_tag t JOIN tenure.job_log l USING (job_id)
                WHERE l.fence = 1 AND t.job_id < '00000000-0000-7000-8000-0000000000ff' ORDER BY 1
                """)
            #expect(left == [id(2), id(4)])
            // Too young by its id.
            #expect(try await tags(late, example) == "t")
            #expect(
                try await example.refusal("SELECT tenure.drop_tags('365001 d', NULL, 2)") == nil)
            #expect(try await example.refusal("SELECT tenure.drop_tags('-1 d', NULL, 2)") == nil)
        }
    }

    @Test func `An id that says no time is swept all the same, once nobody keeps its job`()
        async throws
    {
        try await Example.run { example in
            let odd = "f0000000-0000-4000-8000-0000000000ac"
            try await example.enqueue(#""new_id": "\#(odd)", "tags": ["t"]"#)
            func sweep() async throws {
                try await example.perform(
                    "SELECT tenure.drop_tags('1 d', 'f0000000-0000-0000-0000-000000000000', 1000)")
            }
            try await sweep()
            #expect(try await tags(odd, example) == "t")
            try await example.perform("DELETE FROM tenure.job WHERE id = '\(odd)'")
            try await sweep()
            #expect(try await tags(odd, example) == "")
        }
    }

    @Test func `A job of an id that another had has its own tags`() async throws {
        try await Example.run { example in
            let drawn = try await example.enqueue(#""tags": ["old", "older"]"#)[0].id
            try await example.perform("DELETE FROM tenure.job WHERE id = '\(drawn)'")
            try await example.enqueue(#""id": "\#(drawn)", "tags": ["new"]"#)
            #expect(try await tags(drawn, example) == "new")
        }
    }

    @Test func `A given id that is free again has none of its old job's`() async throws {
        try await Example.run { example in
            let id = "01990000-0000-4000-8000-0000000000ab"
            try await example.enqueue(#""id": "\#(id)", "tags": ["old"]"#)
            try await example.perform("DELETE FROM tenure.job WHERE id = '\(id)'")
            try await example.perform("SELECT tenure.drop_given_ids('-1 s', NULL, NULL, 1000)")
            try await example.enqueue(#""id": "\#(id)", "tags": ["new"]"#)
            #expect(try await tags(id, example) == "new")
        }
    }
}
