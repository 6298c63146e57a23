import Logging
import ServiceLifecycle
import Tenure
import TenureWorker
import UnixSignals

enum Program {
    struct Usage: Error, CustomStringConvertible {
        let description = "usage: thumbnails migrate | upload PICTURE FILE | worker"
    }

    static func run(_ words: [String], database: String) async throws {
        let pool = PostgresPool(configuration: try PostgresConfiguration(database))
        switch (words.first, words.count) {
        case ("migrate", 1): try await migrate(pool)
        case ("upload", 3):
            guard let picture = Int(words[1]) else { throw Usage() }
            try await upload(picture: picture, file: words[2], TenureClient(pool: pool), pool)
        case ("worker", 1):
            try await work(pool) { file in
                try await Task.sleep(for: .seconds(2))  // stands for work
                return "small-\(file)"
            }
        default: throw Usage()
        }
    }

    /// Until SIGTERM or SIGINT: what runs then has half a minute to end, and is handed back.
    static func work(_ pool: PostgresPool, _ shrink: @escaping Shrink) async throws {
        var configuration = WorkerConfiguration()
        configuration.queues = [.default: 4]  // so many at a time in this process
        let worker = try Worker(
            pool: pool, jobs: thumbnails(pool, shrink), configuration: configuration)
        let services: [any Service] = [pool, worker]
        try await ServiceGroup(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "thumbnails")
        ).run()
    }
}
