import ArgumentParser
import Tenure

/// How many at a time and how far apart, and who says so.
struct LaneLimitFlags: ParsableArguments {
    @Option(help: "The most at a time, over all workers.") var maxRunning: Int?
    @Option(help: "The least time from one start to the next: 500ms, 2s.")
    var minInterval: String?
    @Option(help: "Who sets it, for those who look later. (default: the user's name)")
    var by: String?

    func validate() throws {
        if let maxRunning, !(1...1_000_000).contains(maxRunning) {
            throw ValidationError("--max-running is \(maxRunning); give 1 to 1000000")
        }
    }

    var isEmpty: Bool { maxRunning == nil && minInterval == nil }

    func interval() throws -> Duration? {
        try minInterval.map {
            try SettingValue.duration(
                .init(text: $0, source: "--min-interval"), .zero ... .seconds(365 * 86_400))
        }
    }

    var whom: String { by ?? Whom.name }
}
