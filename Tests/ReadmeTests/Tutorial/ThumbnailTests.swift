import Tenure
import TenureTestDatabase
import TenureTestKit
import TenureWorker
import Testing

/// What each test's own database begins with, beside Tenure's tables.
private let gallery = TestTemplate { pool in try await makeTables(pool) }

@Test func `a thumbnail is made`() async throws {
    try await TestDatabase.with(gallery) { database in
        let pool = database.pool
        try await upload(picture: 7, file: "cat.png", database.client, pool)

        let runs = try await database.queue(thumbnails(pool) { "small-\($0)" }).drain()

        #expect(runs.map(\.became) == [.completed])
        let made = try await pool.query("SELECT thumbnail FROM picture WHERE id = 7") { row in
            try row.decode(0, as: String.self)
        }
        #expect(made == ["small-cat.png"])
    }
}

@Test(.timeLimit(.minutes(1)))
func `a new upload stops the run for the old one`() async throws {
    try await TestDatabase.with(gallery) { database in
        let pool = database.pool
        try await pool.query("INSERT INTO picture (id, file) VALUES (8, 'dog.png')")
        let run = try TestRun(MakeThumbnail(picture: 8), .superseding("picture-8"), on: pool)
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        async let report = run.run(
            with: thumbnails(pool) { file in
                start.yield()
                try await Task.sleep(for: .seconds(3600))
                return "small-\(file)"
            })
        for await _ in started { break }

        try await run.supersede()

        #expect(try await report.became == .superseded)
        #expect(try await pool.query("SELECT 1 FROM picture WHERE thumbnail IS NOT NULL") == 0)
    }
}
