import ArgumentParser
import Tenure

struct Stats: ReportingCommand {
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

    func report(_ database: Database) async throws -> StatisticsReport {
        StatisticsReport(
            since: since,
            kinds: try await database.inspector.statistics(
                since: since, queue: queue.map { QueueName($0) }),
            pausedKinds: try await database.inspector.pausedKinds())
    }
}

/// What ended lately, and what can't begin.
struct StatisticsReport: Report {
    let since: Duration
    let kinds: [KindStatistics]
    let pausedKinds: [PausedKind]

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "sinceSeconds": since.inSeconds, "kinds": kinds, "pausedKinds": pausedKinds,
        ])
    }

    var text: String {
        (pausedKinds.map(PausedKindText.line) + [ended]).joined(separator: "\n")
    }

    private var ended: String {
        let span = DurationText.format(since)
        if kinds.isEmpty { return "nothing has ended in the last \(span)" }
        let ended = kinds.map { $0.completed + $0.discarded + $0.cancelled + $0.superseded }
            .reduce(0, +)
        let rate = RateText.format(Double(ended) / since.inSeconds)
        return Table(kinds).text + "\n\n\(ended) ended in the last \(span): \(rate)"
    }
}

extension KindStatistics: TableRow {
    static let titles = [
        "queue", "kind", "completed", "failed", "discarded", "expired", "cancelled", "superseded",
        "waited", "waited 95%", "took", "took 95%", "longest", "lost",
    ]

    var cells: [String?] {
        func time(_ duration: Duration?) -> String? { duration.map { DurationText.format($0) } }
        return [
            queue.rawValue, kind.rawValue, "\(completed)", failures.map { "\($0)" }, "\(discarded)",
            expired > 0 ? "\(expired)" : nil, "\(cancelled)", "\(superseded)", time(waitMedian),
            time(wait95), time(runMedian), time(run95), time(runLongest),
            supersededWork > .zero ? time(supersededWork) : nil,
        ]
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
