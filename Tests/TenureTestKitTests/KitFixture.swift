import Logging
import Tenure
import TenureTestKit
import TenureWorker
import TestSupport

/// A migrated database of the test's own.
struct KitFixture {
    let pool: PostgresPool
    let client: TenureClient
    let logger: Logger

    init() async throws {
        var logger = Logger(label: "kit")
        logger.logLevel = .critical
        self.logger = logger
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), logger: logger)
        client = TenureClient(pool: pool, logger: logger)
    }

    func queue(_ jobs: JobRegistry) -> TestQueue {
        TestQueue(pool: pool, jobs: jobs, logger: logger)
    }
}

struct Count: Job, Equatable {
    static let kind: JobKind = "count"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 3, .seconds(60)), timeout: .seconds(30))
    var to = 3
}

struct Note: Job, Equatable {
    static let kind: JobKind = "note"
    /// Longer than any drain takes.
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 3, .seconds(3600)))
    var text = ""
}

struct Doubt: Job {
    static let kind: JobKind = "doubt"
    static let options = JobOptions<Self>(deadLetter: .to(DoubtTold.self))
    let of: String
}

struct DoubtTold: LetterJob {
    static let kind: JobKind = "doubt-told"
    static let options = JobOptions<Self>(queue: "told")
    let letter: DeadLetter
}

struct Refused: Error, Equatable {}
