import Logging
package import Tenure
import TenureWorker

/// What handlers may hold on to for as long as the process runs.
struct ProductParts: Sendable {
    let pool: PostgresPool
    let client: TenureClient
    let logger: Logger
    /// The product's own settings.
    let settings: ProductSettings

    /// The kinds of job that this program runs.
    func registry() throws -> JobRegistry {
        var jobs = JobRegistry()
        try ProductJobs.register(into: &jobs, self)
        return jobs
    }
}

extension MigrationSet {
    /// The queue's, then the product's.
    package static var all: [MigrationSet] { [.tenure] + ProductJobs.migrations }
}
