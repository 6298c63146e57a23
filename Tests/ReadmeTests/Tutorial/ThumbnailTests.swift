import Tenure
import TenureTestKit
import TenureWorker
import Testing

func aThumbnailIsMade(_ pool: PostgresPool) async throws {
    let queue = TestQueue(pool: pool, jobs: thumbnails(pool) { "small \($0)" })
    try await upload(picture: 7, file: "cat.png", queue.client, pool)

    let runs = try await queue.drain()

    #expect(runs.map(\.became) == [.completed])
    let made = try await pool.query("SELECT thumbnail FROM picture WHERE id = 7") { row in
        try row.decode(0, as: String.self)
    }
    #expect(made == ["small cat.png"])
}
