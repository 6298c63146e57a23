import ArgumentParser
import Tenure

struct LaneSet: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set how many of a lane's jobs run, how far apart, and in what order.",
        discussion: """
            What is set stays, whatever jobs bring along, and counts from now on; those that run \
            go on.

            Example:
              tenure lane set tenant:42 --queue mail --max-running 2 --min-interval 1s
              tenure lane set api --max-running 50 --rate 100/1s --burst 20
              tenure lane set tenant:7 --max-running 5 --weight 3
              tenure lane set account:42 --strict
            """)

    @Argument(help: "The lane's name.") var lane: String
    @OptionGroup var limits: LaneLimitFlags
    @OptionGroup var rate: LaneRateFlags
    @OptionGroup var order: LaneOrderFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: LaneQueue
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if rate.burst != nil, rate.rate == nil, limits.minInterval == nil {
            throw ValidationError("--burst needs --rate or --min-interval")
        }
        if limits.isEmpty, rate.rate == nil, order.isEmpty {
            throw ValidationError(
                "there is nothing to set; give --max-running, --min-interval, --rate, --weight or "
                    + "--strict")
        }
        if rate.rate != nil, limits.minInterval != nil {
            throw ValidationError("give --rate or --min-interval, not both")
        }
    }

    func checkInput() throws { _ = try interval() }

    private func interval() throws -> Duration? { try rate.interval() ?? limits.interval() }

    func report(_ database: Database) async throws -> LaneStatus {
        let lanes = queue.lanes(database)
        try await lanes.set(
            lane, maxRunning: limits.maxRunning, minInterval: try interval(),
            burst: rate.burst, weight: order.weight, order: order.order, by: limits.whom)
        return try await lanes.known(lane, in: queue.queue)
    }
}
