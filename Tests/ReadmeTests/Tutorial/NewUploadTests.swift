import Tenure
import TenureTestKit
import TenureWorker
import Testing

func aNewUploadStopsTheOldRun(_ pool: PostgresPool) async throws {
    try await pool.query("INSERT INTO picture (id, file) VALUES (8, 'dog.png')")
    let run = try TestRun(MakeThumbnail(picture: 8), .superseding("picture-8"), on: pool)
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    async let report = run.run(
        with: thumbnails(pool) { file in
            start.yield()
            try await Task.sleep(for: .seconds(3600))
            return "small \(file)"
        })
    for await _ in started { break }

    try await run.supersede()

    #expect(try await report.became == .superseded)
    let made = try await pool.query("SELECT 1 FROM picture WHERE thumbnail IS NOT NULL AND id = 8")
    #expect(made == 0)
}
