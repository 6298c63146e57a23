import ArgumentParser
import Tenure

struct Stats: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "What became of the jobs of the last hour, by kind.",
        discussion: """
            From history: queues that keep no completed jobs show none. failed counts attempts, \
            the rest jobs; expired ones are among the discarded. waited is from due to the last \
            start, took the last run: the median, \
            and what 95 of 100 stayed below. lost is the time of runs that were superseded.

            Example:
              tenure stats
              tenure stats --since 15m --queue mail --json
            """)

    @Option(
        help: "How far to look back, such as 15m or 24h. (default: 1h)",
        transform: JobArgument.age)
    var since: Duration = .seconds(3600)
    @Option(help: "Only this queue.") var queue: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (.seconds(1) ... .seconds(30 * 86_400)).contains(since) else {
            throw ValidationError("--since is \(DurationText.format(since)); give 1s to 30d")
        }
    }

    private struct Output: Encodable {
        let sinceSeconds: Double
        let kinds: [StatisticsOutput]
        let pausedKinds: [PausedKindOutput]
    }

    func execute() async throws {
        let settings = try await common.settings()
        let (kinds, paused) = try await Database.current(settings) {
            (
                try await $0.inspector.statistics(
                    since: since, queue: queue.map { QueueName($0) }),
                try await $0.inspector.pausedKinds()
            )
        }
        if json {
            return Terminal.output(
                try JSONText.encode(
                    Output(
                        sinceSeconds: since / .seconds(1), kinds: kinds.map(StatisticsOutput.init),
                        pausedKinds: paused.map(PausedKindOutput.init))))
        }
        for kind in paused { Terminal.output(PausedKindText.line(kind)) }
        let span = DurationText.format(since)
        if kinds.isEmpty { return Terminal.output("nothing has ended in the last \(span)") }
        Terminal.output(StatisticsTable.text(kinds))
        let ended = kinds.map { $0.completed + $0.discarded + $0.cancelled + $0.superseded }
            .reduce(0, +)
        let rate = RateText.format(Double(ended) / (since / .seconds(1)))
        Terminal.output("\n\(ended) ended in the last \(span): \(rate)")
    }
}

/// Statistics for people.
enum StatisticsTable {
    static func text(_ kinds: [KindStatistics]) -> String {
        var table = Table(
            "queue", "kind", "completed", "failed", "discarded", "expired", "cancelled",
            "superseded",
            "waited", "waited 95%", "took", "took 95%", "longest", "lost")
        for kind in kinds {
            table.add(
                kind.queue.rawValue, kind.kind.rawValue, String(kind.completed),
                String(kind.failures), String(kind.discarded),
                kind.expired > 0 ? String(kind.expired) : nil, String(kind.cancelled),
                String(kind.superseded), time(kind.waitMedian), time(kind.wait95),
                time(kind.runMedian), time(kind.run95), time(kind.runLongest),
                kind.supersededWork > .zero ? time(kind.supersededWork) : nil)
        }
        return table.text
    }

    private static func time(_ duration: Duration?) -> String? {
        duration.map { DurationText.format($0) }
    }
}

/// The same for programs.
struct StatisticsOutput: Encodable {
    let queue: String
    let kind: String
    let completed: Int
    let failedAttempts: Int
    let discarded: Int
    let expired: Int
    let cancelled: Int
    let superseded: Int
    @OrNull var waitMedianSeconds: Double?
    @OrNull var wait95Seconds: Double?
    @OrNull var runMedianSeconds: Double?
    @OrNull var run95Seconds: Double?
    @OrNull var runLongestSeconds: Double?
    let supersededWorkSeconds: Double

    init(_ kind: KindStatistics) {
        queue = kind.queue.rawValue
        self.kind = kind.kind.rawValue
        completed = kind.completed
        failedAttempts = kind.failures
        discarded = kind.discarded
        expired = kind.expired
        cancelled = kind.cancelled
        superseded = kind.superseded
        waitMedianSeconds = kind.waitMedian.map { $0 / .seconds(1) }
        wait95Seconds = kind.wait95.map { $0 / .seconds(1) }
        runMedianSeconds = kind.runMedian.map { $0 / .seconds(1) }
        run95Seconds = kind.run95.map { $0 / .seconds(1) }
        runLongestSeconds = kind.runLongest.map { $0 / .seconds(1) }
        supersededWorkSeconds = kind.supersededWork / .seconds(1)
    }
}

/// A rate in the unit that leaves a number one can read: `12.5/s`, `3/min`, `2/h`.
enum RateText {
    static func format(_ perSecond: Double) -> String {
        switch perSecond {
        case 0: "0/s"
        case 100...: "\(Int(perSecond.rounded()))/s"
        case 1...: "\(tenths(perSecond))/s"
        case (1.0 / 60)...: "\(tenths(perSecond * 60))/min"
        default: "\(tenths(perSecond * 3600))/h"
        }
    }

    private static func tenths(_ number: Double) -> String {
        let rounded = (number * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
