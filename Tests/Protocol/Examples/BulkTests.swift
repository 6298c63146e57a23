import Testing

@Suite struct BulkTests {
    @Test func `A key twice in a bulk: the last one wins, the other is superseded`() async throws {
        try await Example.run { example in
            let jobs = try await example.enqueue(
                #""key": "a""#, #""key": "b""#, #""key": "a""#, #""key": "a""#, "")
            #expect(jobs.map(\.result) == Array(repeating: "enqueued", count: 5))
            #expect(try await example.past(jobs[0].id, "superseded_by") == jobs[2].id)
            #expect(try await example.past(jobs[2].id, "superseded_by") == jobs[3].id)
            #expect(try await example.job(jobs[3].id, "state") == "available")
            #expect(try await example.job(jobs[4].id, "generation") == "NULL")
        }
    }

    @Test func `Every job of a bulk has a generation of its own, under its key's lock`()
        async throws
    {
        try await Example.run { example in
            for _ in 0..<2 {  // new subjects, then known ones
                let jobs = try await example.enqueue(
                    #""key": "a""#, #""key": "b""#, #""key": "c""#)
                let distinct = try await example.value(
                    """
                    SELECT count(DISTINCT generation)::text FROM tenure.job
                    WHERE id IN ('\(jobs.map(\.id).joined(separator: "', '"))')
                    """)
                #expect(distinct == "3")
            }
        }
    }

    @Test func `Several turns meet the one before as if it had come alone`() async throws {
        try await Example.run { example in
            let jobs = try await example.enqueue(
                #""key": "a", "mode": "coalescing""#, #""key": "a", "mode": "coalescing""#,
                #""key": "a", "mode": "keeping""#, #""key": "a""#, #""key": "a", "mode": "keeping""#
            )
            #expect(jobs.map(\.result) == ["enqueued", "updated", "kept", "enqueued", "kept"])
            #expect(jobs[0].id == jobs[1].id && jobs[1].id == jobs[2].id)
            #expect(jobs[3].id == jobs[4].id)
            #expect(try await example.past(jobs[0].id, "superseded_by") == jobs[3].id)
        }
    }

    @Test func `A payload of more than 1 MiB is refused, and so is an unknown mode`() async throws {
        try await Example.run { example in
            let much = "jsonb_build_object('a', repeat('x', 1048576))"
            let array = #"[{"kind": "\#(example.own)", "key": "a", "mode": "keep"}]"#
            for statement in [
                "SELECT tenure.enqueue('\(example.own)', \(much))",
                "SELECT tenure.enqueue('\(example.own)', key => 'a', mode => 'keep')",
                "SELECT tenure.enqueue_jobs('\(array)')",
            ] {
                let refusal = try await example.refusal(statement)
                #expect(refusal == "TN003", "\(statement.prefix(60))")
            }
        }
    }

    @Test func `What the Swift library would refuse is refused`() async throws {
        try await Example.run { example in
            for field in [
                #""priority": 10"#, #""priority": -1"#, #""max_attempts": 0"#,
                #""max_attempts": 10001"#, #""kind": """#, #""kind": null"#, #""queue": """#,
                #""key": """#, #""lane": """#, #""lane": "a", "lane_max_running": 0"#,
                #""queue": "\#(String(repeating: "q", count: 129))""#,
                #""key": "\#(String(repeating: "k", count: 1025))""#, #""trace": """#,
            ] {
                let array = #"[{"kind": "\#(example.own)"}, {"kind": "k", \#(field)}]"#
                let refusal = try await example.refusal("SELECT tenure.enqueue_jobs('\(array)')")
                #expect(refusal == "TN003", "\(field)")
            }
        }
    }

    @Test func `synchronous_commit off is raised to on where a promise is made`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let statements = [
                "SELECT tenure.enqueue('\(example.own)', queue => '\(example.own)')",
                """
                SELECT tenure.finish(c.id, c.fence)
                FROM tenure.claim(\(session), '\(example.own)', '{\(example.own)}', 1) AS c
                """,
            ]
            for statement in statements {
                try await example.perform("SET LOCAL synchronous_commit = off")
                try await example.perform(statement)
                #expect(try await example.value("SHOW synchronous_commit") == "on")
            }
        }
    }
}
