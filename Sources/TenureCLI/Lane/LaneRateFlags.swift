import ArgumentParser
import Tenure

/// How a lane stands among the others, and its jobs among themselves.
struct LaneOrderFlags: ParsableArguments {
    @Option(help: "How many turns in a row it has among the queue's lanes, 1 to 100. (default: 1)")
    var weight: Int?
    @Flag(
        inversion: .prefixedNo,
        help: "One job after the other: none starts before the one that has begun is over.")
    var strict: Bool?

    func validate() throws {
        if let weight, !(1...Lane.greatestWeight).contains(weight) {
            throw ValidationError("--weight is \(weight); give 1 to \(Lane.greatestWeight)")
        }
    }

    var isEmpty: Bool { weight == nil && strict == nil }
    var order: Lane.Order? { strict.map { $0 ? .strict : .free } }
}

/// How many of a lane's jobs start in a time.
struct LaneRateFlags: ParsableArguments {
    @Option(help: "Starts in a time, over all workers, instead of --min-interval: 100/1s, 5/1m.")
    var rate: String?
    @Option(help: "How many may start at once after a quiet time, 1 to 10000. (default: 1)")
    var burst: Int?

    func validate() throws {
        if let burst { try Self.check(burst: burst) }
    }

    static func check(burst: Int) throws {
        if !(1...Lane.longestBurst).contains(burst) {
            throw ValidationError("--burst is \(burst); give 1 to \(Lane.longestBurst)")
        }
    }

    /// `COUNT/TIME`.
    /// - Returns: the time from one start to the next.
    func interval() throws -> Duration? {
        try rate.map { try Self.rate($0, source: "--rate", burst: burst).interval }
    }

    static func rate(_ rate: String, source: String, burst: Int?) throws -> Rate {
        let parts = rate.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count) else {
            throw Failure(
                "\(source) is \"\(rate)\"; give 1 to 1000000 starts and a time, such as "
                    + "100/1s")
        }
        let period = try SettingValue.duration(
            .init(text: String(parts[1]), source: source), .seconds(1)...(.seconds(365 * 86_400)))
        return Rate(count, per: period, burst: burst ?? 1)
    }
}
