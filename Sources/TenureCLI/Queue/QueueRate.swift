import ArgumentParser
import Tenure

struct QueueRate: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rate",
        abstract: "Set how many jobs of a queue start in a time, over all workers.",
        discussion: """
            Exact, and in force when this returns; it counts beside the limits and rates of the \
            queue's lanes. With --burst so many start at once after a quiet time. "none" takes \
            the rate away.

            Example:
              tenure queue rate mail 100/1s --burst 20
              tenure queue rate mail none
            """)

    @Argument(help: "The queue's name.") var name: String
    @Argument(help: "Starts and a time, 100/1s or 5/1m; or none.") var rate: String
    @Option(help: "How many may start at once after a quiet time, 1 to 10000. (default: 1)")
    var burst: Int?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if rate == "none", burst != nil { throw ValidationError("--burst needs a rate") }
        if let burst { try LaneRateFlags.check(burst: burst) }
    }

    func checkInput() throws { _ = try wanted() }

    private func wanted() throws -> Rate? {
        try rate == "none" ? nil : LaneRateFlags.rate(rate, source: "the rate", burst: burst)
    }

    func report(_ database: Database) async throws -> RateReport {
        let wanted = try wanted()
        try await Operator(client: database.client, as: Whom.name).betweenClaims(of: name) {
            try await $0.setRate(of: QueueName(name), to: wanted)
        }
        return RateReport(queue: name, rate: wanted)
    }
}

struct RateReport: Report {
    let queue: String
    let rate: Rate?

    var text: String {
        guard let rate else { return PlainText.line("\(queue) has no rate") }
        let most = CountText.of(rate.count + rate.burst, "job")
        let many =
            rate.burst > 1
            ? ", and \(rate.burst) at once after a quiet time: up to \(most) in any "
                + DurationText.format(rate.period) : ""
        return PlainText.line(
            "\(CountText.of(rate.count, "job", "of \(queue)", do: "start")) in "
                + "\(DurationText.format(rate.period))\(rate.burst > 1 ? "" : " at most")\(many)")
    }

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "queue": queue, "minIntervalSeconds": rate?.interval.inSeconds, "burst": rate?.burst,
        ])
    }
}
