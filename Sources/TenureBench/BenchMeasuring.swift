import ArgumentParser
import TenureCLI

/// What `tenure-bench` measures, and how much of it.
struct BenchMeasuring: ParsableArguments {
    @Option(help: "Figures or groups of them, separated by commas. (default: all)")
    var figures: String?

    @Option(help: "How often each is measured, 1 to 99; three at least mean something.")
    var runs = 3

    @Option(
        help: """
            How much: small takes about half an hour for all figures; full has the sizes that the \
            bars are meant for and takes hours; tiny only tells whether it works.
            """)
    var scale = BenchScale.small

    @Option(help: "Jobs at a time of a worker process, 1 to 10000.")
    var slots = 10

    @Option(
        help: ArgumentHelp(
            "A library that counts allocations (see bin/bench).", valueName: "path"))
    var allocationCounter: String?

    @Flag(help: "Print a line of JSON for each figure.") var json = false

    func validate() throws {
        guard (1...99).contains(runs) else {
            throw ValidationError("--runs is \(runs); give 1 to 99")
        }
        guard (1...10_000).contains(slots) else {
            throw ValidationError("--slots is \(slots); give 1 to 10000")
        }
    }

    /// - Throws: `Failure` that lists what there is.
    func chosen() throws -> [FigureEntry] {
        try FigureEntry.chosen(figures?.split(separator: ",").map(String.init) ?? [])
    }

    /// As they count for a result.
    var arguments: [String] {
        ["--scale=\(scale.rawValue)", "--runs=\(runs)", "--slots=\(slots)"]
            + (figures.map { ["--figures=\($0)"] } ?? [])
    }
}
