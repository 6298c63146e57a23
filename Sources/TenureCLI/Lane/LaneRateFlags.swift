import ArgumentParser
import Tenure

/// How many of a lane's jobs start in a time.
struct LaneRateFlags: ParsableArguments {
    @Option(help: "Starts in a time, over all workers, instead of --min-interval: 100/1s, 5/1m.")
    var rate: String?
    @Option(help: "How many may start at once after a quiet time, 1 to 10000. (default: 1)")
    var burst: Int?

    func validate() throws {
        if let burst, !(1...Lane.longestBurst).contains(burst) {
            throw ValidationError("--burst is \(burst); give 1 to \(Lane.longestBurst)")
        }
    }

    /// `COUNT/TIME`.
    /// - Returns: the time from one start to the next.
    func interval() throws -> Duration? {
        guard let rate else { return nil }
        let parts = rate.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count) else {
            throw Failure(
                "--rate is \"\(rate)\"; give 1 to 1000000 starts and a time, such as "
                    + "100/1s")
        }
        let period = try SettingValue.duration(
            .init(text: String(parts[1]), source: "--rate"), .seconds(1)...(.seconds(365 * 86_400)))
        return Rate(count, per: period).interval
    }
}
