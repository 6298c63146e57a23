import Tenure
import TenureWorker

func runThumbnails(_ pool: PostgresPool, _ shrink: @escaping Shrink) async throws {
    var configuration = WorkerConfiguration()
    configuration.queues = [.default: 4]  // so many at a time in this process
    let worker = try Worker(
        pool: pool, jobs: thumbnails(pool, shrink), configuration: configuration)
    try await worker.run()
}
