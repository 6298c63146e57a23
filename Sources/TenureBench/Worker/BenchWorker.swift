import ArgumentParser
import Logging
import TenureCLI

/// A worker process of the benchmark's: the product's own worker, with the benchmark's kinds.
struct BenchWorker: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker", abstract: "Run a worker of the benchmark's kinds.",
        discussion: """
            What the benchmark starts; of no use by itself.
            Example: tenure-bench worker --queue default:10
            """,
        shouldDisplay: false)

    @OptionGroup var worker: WorkerFlags
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings(worker.values)
        try await Database.current(settings) { database in
            try await database.serve([database.worker(BenchJobs.registry()), ParentWatch()])
        }
    }
}
