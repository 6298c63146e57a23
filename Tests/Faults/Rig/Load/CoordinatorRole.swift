import ArgumentParser
import ServiceLifecycle
import Tenure
import TenureCoordinator

/// A real coordinator, with a schedule that fires every second.
struct CoordinatorRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinator", shouldDisplay: false)
    @OptionGroup var options: RoleOptions

    func run() async throws {
        ParentWatch.start()
        let (log, logger) = try options.start("coordinator")
        let pool = try options.pool(size: 4, logger: logger)
        var configuration = CoordinatorConfiguration()
        configuration.name = options.name
        configuration.lease = .seconds(options.lease)
        configuration.tick = .milliseconds(500)
        configuration.housekeeping = .seconds(20)
        let tick = Work(plan: Plan(tag: "tick", milliseconds: [30]))
        let coordinator = try Coordinator(
            pool: pool, owning: "rig", schedules: [Schedule("tick", every: .seconds(1), tick)],
            configuration: configuration, logger: logger,
            watchingSession: { WatchedSession(store: $0, log: log) })
        try await ServiceGroup.run(coordinator, logger)
        await pool.close()
    }
}
