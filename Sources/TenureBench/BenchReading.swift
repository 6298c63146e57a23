import ArgumentParser
import TenureCLI

/// What `tenure-bench` does with results that are there already.
struct BenchReading: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Lay two results of --json side by side.", valueName: "file"))
    var compare: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Print results of --json as tables.", valueName: "file"))
    var show: [String] = []

    @Flag(help: "With --show: Markdown, as in docs/benchmarks.md.") var markdown = false

    @Option(
        help: ArgumentHelp(
            "With --show: draw an SVG for each question of scale, and for decay.",
            valueName: "folder"))
    var plot: String?

    func validate() throws {
        guard compare.isEmpty || compare.count == 2 else {
            throw ValidationError("--compare takes two files")
        }
        guard compare.isEmpty || show.isEmpty else {
            throw ValidationError("--compare and --show exclude each other")
        }
        guard !show.isEmpty || (!markdown && plot == nil) else {
            throw ValidationError("--markdown and --plot need --show with a file")
        }
    }

    /// What is to be printed; nil when nothing was asked for, and it is time to measure.
    func text() throws -> String? {
        if compare.count == 2 {
            return Comparison(
                before: try ResultLines(file: compare[0]), after: try ResultLines(file: compare[1])
            ).text
        }
        if show.isEmpty { return nil }
        let all = try show.map { try ResultLines(file: $0) }
        let sweeps = all.flatMap(\.sweeps)
        for (index, sweep) in sweeps.enumerated() where plot != nil {
            if sweeps[..<index].contains(where: { $0.name == sweep.name }) {
                throw Failure("two of the files have \(sweep.name): a plot is of one of them")
            }
        }
        let plots = try plot.map { try PlotFolder(path: $0).write(sweeps) }
        return all.map { lines in
            if markdown { return ResultMarkdown(lines: lines, plots: plots).text }
            return [lines.machine?.text, ResultTable.text(lines.figures)].compactMap { $0 }
                .joined(separator: "\n\n")
        }.joined(separator: "\n\n")
    }
}
