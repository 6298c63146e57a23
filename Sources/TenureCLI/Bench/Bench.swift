import ArgumentParser
import Tenure

struct Bench: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure what this machine and this database can do.",
        discussion: """
            It works in a database of its own on the configured server (a schema of its own where \
            the user may make none) and removes it at the end, on Ctrl-C too. Without a configured \
            server it runs a private PostgreSQL meanwhile.

            A figure is the median of its runs, with the least and the most. "To raw" is its ratio \
            to the least SQL that does the same, run in turn with it, mostly by pgbench: on a busy \
            machine compare that. Progress goes to standard error; a figure is printed as soon as \
            it has been measured, and what was printed stays good whatever happens to the rest.

            \(Self.list)

            Example:
              tenure bench --figures drain,latency
              tenure bench --scale full --json > after.jsonl
              tenure bench --compare before.jsonl after.jsonl
              tenure bench --show after.jsonl --markdown --plot docs/benchmarks
            """,
        subcommands: [BenchWorker.self])

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
    @OptionGroup(title: "RESULTS THAT ARE THERE") var results: BenchReading
    @OptionGroup(title: "OPTIONS OF ALL COMMANDS") var common: CommonFlags

    private static var list: String {
        let width = FigureEntry.all.map(\.name.count).max() ?? 0
        return FigureEntry.groups.map { group in
            "Group \(group):\n"
                + FigureEntry.all.filter { $0.group == group }.map { entry in
                    let space = String(repeating: " ", count: width - entry.name.count + 2)
                    return "  \(entry.name)\(space)\(entry.summary)\n"
                }.joined()
        }.joined()
    }

    func validate() throws {
        guard (1...99).contains(runs) else {
            throw ValidationError("--runs is \(runs); give 1 to 99")
        }
        guard (1...10_000).contains(slots) else {
            throw ValidationError("--slots is \(slots); give 1 to 10000")
        }
    }

    func execute() async throws {
        if let text = try results.text() { return Terminal.output(text) }
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
        let all = Lock<[FigureResult]>([])
        var bench = BenchRun(
            place: place, yardstick: yardstick, scale: scale, runs: runs, slots: slots,
            allocationCounter: allocationCounter
        ) { results in
            Terminal.endProgress()
            // At once: what was measured stays, whatever happens to the rest.
            if json { for result in results { Terminal.output(try ResultLines.line(result)) } }
            all.withLock { $0 += results }
        }
        let machine = BenchMachine(
            try await place.settings(), arguments: arguments, scale: scale, runs: runs)
        Terminal.output(json ? try ResultLines.line(machine) : machine.text + "\n")
        defer {
            Terminal.endProgress()
            let measured = all.withLock { $0 }
            if !json, !measured.isEmpty { Terminal.output(ResultTable.text(measured)) }
        }
        for (index, entry) in chosen.enumerated() {
            bench.progress = "[\(index + 1) of \(chosen.count)]"
            try await entry.measure(bench)
        }
    }

    private var arguments: [String] {
        ["--scale=\(scale.rawValue)", "--runs=\(runs)", "--slots=\(slots)"]
            + (figures.map { ["--figures=\($0)"] } ?? [])
    }
}
