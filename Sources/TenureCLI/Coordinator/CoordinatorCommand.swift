import ArgumentParser
import Logging
import Tenure

struct CoordinatorCommand: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", abstract: "Run a coordinator until SIGTERM or SIGINT.",
        discussion: """
            It fires schedules, discards jobs that expired, and keeps the tables in shape. Any \
            number may run; one leads. Workers need none to take over a dead worker's jobs.

            It pauses a kind when 5 processes died one after the other while they ran it, within \
            10 minutes, and none of its runs succeeded in between: see --breaker-deaths, and \
            tenure kind resume.

            What has ended it keeps for --keep-ended and --keep-discarded, counted to the day; \
            give all coordinators the same.

            Example:
              tenure coordinator --lease 30s --metrics-port 9464
            """)

    @Option(help: "How long a leader may be silent before another takes over. (default: 30s)")
    var lease: String?
    @Option(help: "Its name, for people. (default: host and process number)")
    var name: String?
    @OptionGroup var coordinator: CoordinatorFlags
    @OptionGroup var metrics: MetricsFlags
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        var flags = metrics.values.merging(coordinator.values) { _, new in new }
        flags[.lease] = lease
        flags[.name] = name
        let settings = try await common.settings(flags, logLevel: .info)
        try await Database.current(settings) { database in
            for set in try await database.schemas() {
                try await database.migrator(set).requireCurrent()
            }
            try await database.serve([try await database.coordinator()])
        }
    }
}
