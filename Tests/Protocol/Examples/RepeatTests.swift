import TenurePostgres
import Testing

/// A finished job is run again once.
@Suite struct RepeatTests {
    private func discarded(_ example: Example, _ job: String = "") async throws -> String {
        let id = try await example.enqueue(job)[0].id
        try await example.claim(try await example.openSession())
        #expect(try await example.end(id, "discarded") == "discarded")
        return id
    }

    private func retry(_ id: String, _ example: Example, more: String = "") async throws -> String {
        try await example.value(
            """
            SELECT r.result || ' ' || r.id
            FROM tenure.retry_job('\(id)', tenure.new_id()\(more)) AS r
            """)
    }

    @Test func `A second retry answers with the first one's job, unless it is asked for`()
        async throws
    {
        try await Example.run { example in
            let old = try await discarded(example)
            let first = try await retry(old, example)
            let new = String(first.dropFirst("enqueued ".count))
            #expect(first.hasPrefix("enqueued "))
            #expect(try await example.past(old, "retried_as") == new)
            #expect(try await example.job(new, "retry_of") == old)
            #expect(try await retry(old, example) == "kept \(new)")
            let again = try await retry(old, example, more: ", true")
            #expect(again.hasPrefix("enqueued ") && again != first)
            let last = try await example.past(old, "retried_as")
            #expect(again == "enqueued \(last)")
        }
    }

    @Test func `A bulk runs each of them again once, however often it comes`() async throws {
        try await Example.run { example in
            let jobs = [
                try await discarded(example), try await discarded(example, #""key": "a""#),
            ]
            let bulk = """
                SELECT r.became || ' ' || r.new_id
                FROM tenure.repeat_jobs('{\(jobs.joined(separator: ","))}') AS r ORDER BY r.id
                """
            let first = try await example.rows(bulk)
            #expect(first.count == 2 && first.allSatisfy { $0.hasPrefix("retried ") })
            for _ in 0..<3 {
                let next = try await example.rows(bulk)
                #expect(next == first.map { $0.replacing("retried ", with: "kept ") })
            }
            #expect(try await example.value("SELECT count(*)::text FROM tenure.job") == "2")
        }
    }

    @Test func `Two at once run it again once, and a bulk delete waits for neither`() async throws {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        let first = Example(connection: connections[0], own: "again")
        let second = Example(connection: connections[1], own: "again")
        let old = try await discarded(first)
        try await first.perform("BEGIN")
        let new = try await retry(old, first)
        let delete = "SELECT o.became FROM tenure.operate_jobs('delete', '{\(old)}', 'me') AS o"
        #expect(try await second.value(delete) == "busy")
        async let waiting = retry(old, second)
        try await Task.sleep(for: .milliseconds(100))
        try await first.perform("COMMIT")
        #expect(try await waiting == new.replacing("enqueued", with: "kept"))
        #expect(try await second.value(delete) == "deleted")
    }

    @Test func `What gave way to another job of its key was not run again`() async throws {
        try await Example.run { example in
            let old = try await discarded(example, #""key": "a""#)
            let other = try await example.enqueue(#""key": "a""#)[0].id
            #expect(try await retry(old, example) == "kept \(other)")
            #expect(try await example.past(old, "retried_as") == "NULL")
        }
    }
}
