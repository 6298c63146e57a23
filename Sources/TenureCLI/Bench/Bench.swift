import ArgumentParser
import Tenure

struct Bench: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure what this machine and this database can do.",
        discussion: """
            It works in a database of its own on the configured server (a schema of its own where \
            the user may make none), and removes it. Without a configured server it runs a private \
            PostgreSQL meanwhile. Each figure is the median of its runs, with the least and the \
            most; "to raw" is its ratio to the least SQL that does the same, run by pgbench or \
            psql in turn with it.

            \(Self.list)

            Example:
              tenure bench --figures drain,latency
              tenure bench --scale full --json > after.jsonl
              tenure bench --compare before.jsonl after.jsonl
            """,
        subcommands: [BenchWorker.self])

    @Option(help: "Figures or groups of them, separated by commas. (default: all)")
    var figures: String?

    @Option(help: "How often each is measured, 1 to 99; three at least mean something.")
    var runs = 3

    @Option(help: "small: minutes in total. full: the figures' own sizes.")
    var scale = BenchScale.small

    @Option(help: "Jobs at a time of a worker process, 1 to 10000.")
    var slots = 10

    @Option(
        help: ArgumentHelp(
            "A library that counts allocations (see bin/bench).", valueName: "path"))
    var allocationCounter: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Two results to lay side by side.", valueName: "file"))
    var compare: [String] = []

    @Option(help: ArgumentHelp("A result to print as a table.", valueName: "file"))
    var show: String?

    @Flag(help: "Print a line of JSON for each figure.") var json = false
    @OptionGroup var common: CommonFlags

    private static var list: String {
        FigureEntry.groups.map { group in
            let entries = FigureEntry.all.filter { $0.group == group }
            return "\(group): "
                + entries.map { "\($0.name) (\($0.summary))" }.joined(separator: "; ")
        }.joined(separator: "\n")
    }

    func validate() throws {
        guard (1...99).contains(runs) else {
            throw ValidationError("--runs is \(runs); give 1 to 99")
        }
        guard (1...10_000).contains(slots) else {
            throw ValidationError("--slots is \(slots); give 1 to 10000")
        }
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare takes two files")
        }
    }

    func execute() async throws {
        if compare.count == 2 {
            let before = try ResultLines(file: compare[0])
            let after = try ResultLines(file: compare[1])
            return Terminal.output(Comparison(before: before, after: after).text)
        }
        if let show {
            let lines = try ResultLines(file: show)
            return Terminal.output(
                [lines.machine?.text, ResultTable.text(lines.figures)].compactMap { $0 }
                    .joined(separator: "\n\n"))
        }
        let names = figures?.split(separator: ",").map(String.init) ?? []
        let chosen = try FigureEntry.chosen(names)
        let settings = try await common.settings()
        Interrupt.allow(.seconds(60))  // dropping a database waits for a checkpoint
        try await BenchServer.with(settings) { server in
            try await BenchPlace.with(on: server) { place in
                Terminal.error("measured in \(place.description), which is removed at the end")
                try await Yardstick.with(place) { yardstick in
                    try await measure(chosen, place, yardstick)
                }
            }
        }
    }

    private func measure(
        _ chosen: [FigureEntry], _ place: BenchPlace, _ yardstick: Yardstick
    ) async throws {
        let bench = BenchRun(
            place: place, yardstick: yardstick, scale: scale, runs: runs, slots: slots,
            allocationCounter: allocationCounter)
        let machine = BenchMachine(
            try await place.settings(), arguments: arguments, scale: scale, runs: runs)
        Terminal.output(json ? try ResultLines.line(machine) : machine.text + "\n")
        var all: [FigureResult] = []
        for entry in chosen {
            let results = try await entry.measure(bench)
            Terminal.endProgress()
            // At once: what was measured stays, whatever happens to the rest.
            if json { for result in results { Terminal.output(try ResultLines.line(result)) } }
            all += results
        }
        if !json { Terminal.output(ResultTable.text(all)) }
    }

    private var arguments: [String] {
        ["--scale=\(scale.rawValue)", "--runs=\(runs)", "--slots=\(slots)"]
            + (figures.map { ["--figures=\($0)"] } ?? [])
    }
}
