import TenurePostgres
import Testing

@Suite struct CoordinatorTests {
    private func schedule(_ example: Example, next: String) async throws {
        try await example.perform(
            """
            INSERT INTO tenure.schedule (name, every, next_at, job)
            VALUES ('\(example.own)', '1 h', clock_timestamp() - interval '\(next)',
                    '{"kind": "\(example.own)"}')
            """)
    }

    @Test func `A schedule that was missed for several ticks fires once`() async throws {
        try await Example.run { example in
            try await schedule(example, next: "10 h")
            let fire = "SELECT count(*)::text FROM tenure.fire_schedules(10)"
            #expect(try await example.value(fire) == "1")
            #expect(try await example.value(fire) == "0")
            let next = "SELECT (next_at > clock_timestamp() + interval '59 min')::text"
            #expect(
                try await example.value(
                    "\(next) FROM tenure.schedule WHERE name = '\(example.own)'")
                    == "true")
        }
    }

    @Test func `A schedule that can't fire holds up no other`() async throws {
        try await Example.run { example in
            try await schedule(example, next: "1 min")
            for (name, job) in [("a", #"{"kind": "a", "priority": 10}"#), ("z", #"{"kind": "z"}"#)]
            {
                try await example.perform(
                    """
                    INSERT INTO tenure.schedule (name, every, job)
                    VALUES ('\(name)', '1 h', '\(job)')
                    """)
            }
            try await example.perform(
                """
                INSERT INTO tenure.schedule (name, cron, zone, next_at, job)
                VALUES ('gone', '0 2 * * *', 'Atlantis/Capital', clock_timestamp(), '{"kind": "k"}')
                """)
            let fire = """
                SELECT string_agg(schedule || ': ' || coalesce(job_id::text, result), '; ')
                FROM tenure.fire_schedules(10)
                WHERE job_id IS NULL
                """
            let refused = try await example.value(fire)
            #expect(refused.contains("a: a job's priority is"), "\(refused)")
            #expect(refused.contains("gone: time zone"), "\(refused)")
            let jobs = "SELECT count(*)::text FROM tenure.job"
            #expect(try await example.value(jobs) == "2")
            #expect(try await example.value(fire) == "NULL", "due again in a minute, not at once")
            let later = "SELECT count(*)::text FROM tenure.fire_schedules(10, now() + '2 min')"
            #expect(try await example.value(later) == "2")
        }
    }

    @Test func `Two coordinators fire a schedule once`() async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        let first = Example(connection: connections[0], own: "two")
        let second = Example(connection: connections[1], own: "two")
        try await schedule(first, next: "1 min")
        let fire = "SELECT count(*)::text FROM tenure.fire_schedules(10)"
        try await first.perform("BEGIN")
        #expect(try await first.value(fire) == "1")
        #expect(try await second.value(fire) == "0")
        try await first.perform("COMMIT")
        #expect(try await second.value(fire) == "0")
        #expect(try await second.value("SELECT count(*)::text FROM tenure.job") == "1")
    }

    @Test func `The lead changes only when its holder's session is over`() async throws {
        try await Example.run { example in
            let one = try await example.openSession()
            let two = try await example.openSession()
            func lead(_ session: String) async throws -> String {
                try await example.value("SELECT tenure.lead('\(example.own)', \(session))::text")
            }
            #expect(try await lead(one) == "1")
            #expect(try await lead(two) == "NULL")
            #expect(try await lead(one) == "1")
            _ = try await example.value("SELECT tenure.close_session(\(one))::text")
            #expect(try await lead(two) == "2")
            #expect(
                try await example.refusal("SELECT tenure.lead('\(example.own)', \(one))") == "TN002"
            )
        }
    }

    @Test func `Idle subjects are dropped, never one with an unfinished job`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let jobs = try await example.enqueue(#""key": "a""#, #""key": "b""#)
            try await example.claim(session)
            try await example.end(jobs[0].id, "completed")
            let drop = "SELECT tenure.drop_idle_subjects('0 s', 10)::text"
            #expect(try await example.value(drop) == "1")
            #expect(try await example.subject("b", "key") == "b")
            #expect(
                try await example.value("SELECT tenure.drop_idle_subjects('1 day', 10)::text")
                    == "0")
        }
    }

    @Test func `Partitions are made ahead and dropped behind, and a lapse heals`() async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        let example = Example(connection: connection, own: "parts")
        let make = "SELECT tenure.make_partitions('attempt_error', 7)::text"
        #expect(try await example.value(make) == "0")
        let drop = "SELECT tenure.drop_partitions('attempt_error', '-3 days')::text"
        #expect(try await example.value(drop) == "3")
        try await connection.simple(
            """
            INSERT INTO tenure.attempt_error (job_id, fence, attempt, code, message)
            VALUES (tenure.new_id(), 1, 1, 'x', 'in the default partition')
            """)
        #expect(try await example.value(make) == "3")
        #expect(try await example.value("SELECT count(*)::text FROM tenure.attempt_error") == "1")
        let left = "SELECT count(*)::text FROM tenure.attempt_error_default"
        #expect(try await example.value(left) == "0")
        try await connection.simple(
            """
            INSERT INTO tenure.attempt_error (job_id, fence, attempt, code, message, failed_at)
            VALUES (tenure.new_id(), 1, 1, 'x', 'older than any partition', '2020-01-01')
            """)
        #expect(try await example.value(left) == "1")
        let dropOld = "SELECT tenure.drop_partitions('attempt_error', '1 day')::text"
        #expect(try await example.value(dropOld) == "0")
        #expect(try await example.value(left) == "0")
    }
}
