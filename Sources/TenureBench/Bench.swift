import ArgumentParser
import Tenure
import TenureCLI

struct Bench: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenure-bench",
        abstract: "Measure what this machine and this database can do.",
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
              tenure-bench --figures drain,latency
              tenure-bench --scale full --json > after.jsonl
              tenure-bench --compare before.jsonl after.jsonl
              tenure-bench --show after.jsonl --markdown --plot docs/benchmarks
            """,
        subcommands: [BenchWorker.self])

    @OptionGroup(title: "WHAT TO MEASURE") var measuring: BenchMeasuring
    @OptionGroup(title: "RESULTS OF EARLIER RUNS") var results: BenchReading
    @OptionGroup(title: "OPTIONS OF ALL COMMANDS") var common: CommonFlags

    private static var list: String {
        let width = FigureEntry.all.map(\.name.count).max() ?? 0
        return FigureEntry.groups.map { group in
            "Group \(group):\n"
                + FigureEntry.all.filter { $0.group == group }.map { entry in
                    let space = String(repeating: " ", count: width - entry.name.count + 2)
                    return "  \(entry.name)\(space)\(entry.summary)"
                }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    func execute() async throws {
        if let text = try results.text() { return Terminal.output(text) }
        let chosen = try measuring.chosen()
        let settings = try await common.settings()
        try await BenchServer.with(settings) { server in
            try await BenchPlace.with(on: server) { place in
                Terminal.error("measured in \(place.description), which is removed at the end")
                // Dropping a database waits for a checkpoint.
                Interrupt.allow(seconds: 60, orSay: "\(place.description) is still there: drop it")
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
            place: place, yardstick: yardstick, scale: measuring.scale, runs: measuring.runs,
            slots: measuring.slots, allocationCounter: measuring.allocationCounter
        ) { results in
            Terminal.endProgress()
            // At once: what was measured stays, whatever happens to the rest.
            if measuring.json {
                for result in results { Terminal.output(try ResultLines.line(result)) }
            }
            all.withLock { $0 += results }
        }
        let machine = BenchMachine(
            try await place.settings(), arguments: measuring.arguments,
            scale: measuring.scale.rawValue, runs: measuring.runs)
        Terminal.output(measuring.json ? try ResultLines.line(machine) : machine.text + "\n")
        defer {
            Terminal.endProgress()
            let measured = all.withLock { $0 }
            if !measuring.json, !measured.isEmpty { Terminal.output(ResultTable.text(measured)) }
        }
        for (index, entry) in chosen.enumerated() {
            bench.progress = "[\(index + 1) of \(chosen.count)]"
            try await entry.measure(bench)
        }
    }
}
