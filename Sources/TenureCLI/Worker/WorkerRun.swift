import ArgumentParser
import Logging
import Tenure

struct WorkerRun: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Run a worker until SIGTERM or SIGINT; or list, show and stop those that run.",
        discussion: """
            It takes jobs of its queues and of the kinds that this program knows. At the end it \
            takes no new ones, gives running ones the grace period, then cancels them and hands \
            them back with their attempt refunded.

            Example:
              tenure worker --queue default:10 --queue mail:2 --grace 60s --metrics-port 9465
              tenure worker list
              tenure worker stop 17 --wait
            """,
        subcommands: [WorkerList.self, WorkerShow.self, WorkerStop.self])

    @OptionGroup var worker: WorkerFlags
    @OptionGroup var web: WebFlags
    @OptionGroup var retention: RetentionFlags
    @OptionGroup var common: CommonFlags
    @Flag(help: .hidden) var endWithParent = false

    func execute() async throws {
        let settings = try await common.settings(
            worker.values, product: web.values.merging(retention.values) { own, _ in own },
            logLevel: .info)
        try await Database.current(settings, MigrationSet.all) { database in
            let parent = endWithParent ? [ParentWatch()] : []
            try await database.serve([database.worker()] + parent)
        }
    }
}
