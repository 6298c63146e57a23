import Foundation
import FoundationXML
import Tenure
import Testing

@testable import TenureBench

/// Questions: figures that are points of one, in tables and drawings.
@Suite struct BenchSweepTests {
    private static func point(_ at: Double, _ values: [Double], raw: [Double] = []) -> FigureResult
    {
        FigureResult(
            "queues-\(Int(at))", unit: "jobs/s", values, raw: raw,
            sweep: SweepPoint(name: "queues", axis: "queues & lanes", at: at))
    }

    private static func lines(_ results: FigureResult...) throws -> ResultLines {
        try ResultLines(results.map(ResultLines.line).joined(separator: "\n"), from: "a")
    }

    @Test func `points are read back as their question, in order`() throws {
        let lines = try Self.lines(
            Self.point(10, [2]), FigureResult("drain", unit: "jobs/s", [3]), Self.point(1, [1]))
        #expect(lines.single.map(\.figure) == ["drain"])
        #expect(lines.sweeps.map(\.name) == ["queues"])
        #expect(lines.sweeps[0].points.map(\.median) == [1, 2])
    }

    @Test func `a table of Markdown has what was measured, and no empty columns`() throws {
        let lines = try Self.lines(
            FigureResult("drain", unit: "jobs/s", [1000, 2000, 4000], bar: .atLeast(3000)),
            Self.point(1000, [5, 6, 7], raw: [12]))
        let text = ResultMarkdown(lines: lines, plots: "plots").text
        #expect(text.contains("| drain | jobs/s | 2,000 (1,000–4,000) | ≥ 3000 | **no** |"))
        #expect(text.contains("| 1,000 | 6 (5–7) | 12 | 0.5 |"))
        #expect(text.contains("![queues: jobs/s by queues & lanes](plots/queues.svg)"))
        #expect(!text.contains("compared to"))
        #expect(!ResultMarkdown(lines: lines, plots: nil).text.contains("!["))
    }

    @Test func `a drawing has a point for each size, raw's beside, and is well-formed`() throws {
        let lines = try Self.lines(
            Self.point(1, [100, 200, 300], raw: [400]), Self.point(1000, [90], raw: [300]))
        let svg = Plot(lines.sweeps[0]).svg
        let parser = XMLCount()
        #expect(parser.parse(svg))
        #expect(parser.elements["circle"] == 4 + 2)  // two of them in the legend
        #expect(parser.elements["title"] == 1)
        #expect(svg.contains(">queues &amp; lanes</text>"))
        #expect(svg.contains(">1,000</text>"))
        #expect(!Plot(try Self.lines(Self.point(1, [1])).sweeps[0]).svg.contains(">raw<"))
    }

    @Test func `an axis begins at zero, or goes by powers of ten where values span many`() {
        let even = PlotScale(values: [30, 94])
        #expect(even.ticks == [0, 20, 40, 60, 80, 100])
        #expect(even.place(50) == 0.5)
        let wide = PlotScale(values: [20, 90_000])
        #expect(wide.ticks == [10, 100, 1000, 10_000, 100_000])
        #expect(abs(wide.place(1000) - 0.5) < 1e-9)
        let sizes = PlotScale(points: [1, 10, 100])
        #expect(abs(sizes.place(10) - 0.5) < 1e-9)
        #expect(PlotScale(points: [7]).place(7) == 0.5)
    }

    @Test func `raw's share of every drain comes out even`() {
        for scale in BenchScale.allCases {
            func expectEven(_ jobs: Int, _ clients: Int, _ queues: Int = 1) {
                let batch = RawDrain.batch(jobs: jobs, clients: clients, queues: queues)
                #expect(jobs % (batch * max(clients, queues)) == 0, "\(scale), \(jobs) jobs")
                #expect(queues == 1 || queues % clients == 0)
                // Else raw would be held up by its own round trips.
                #expect(batch >= min(400, jobs / max(clients, queues) * 3 / 4), "\(jobs) jobs")
            }
            for processes in scale.processes { expectEven(scale.sweepJobs, 2 * processes) }
            for queues in scale.queues { expectEven(scale.sweepJobs, 2, queues) }
            for bytes in scale.payloads { expectEven(scale.jobs(ofBytes: bytes), 2) }
            expectEven(scale.drainJobs, 2)
            expectEven(scale.decayChunk, 2)
        }
    }

    @Test func `a payload has the size it is said to have`() throws {
        let payload = BenchPayload(bytes: 1000, of: RandomText(length: 20_000))
        #expect(try JSONEncoder().encode(payload).count == 1000)
    }

    @Test func `other scales, and what only one side has, are told`() throws {
        func lines(_ scale: String, _ figures: [FigureResult]) throws -> ResultLines {
            let text = try ResultLines.line(
                BenchMachine([], arguments: [], scale: scale, runs: 3))
            return try ResultLines(
                ([text] + figures.map(ResultLines.line)).joined(separator: "\n"), from: "a")
        }
        let small = try lines("small", [Self.point(1, [1]), Self.point(10, [1])])
        let full = try lines("full", [Self.point(10, [1]), Self.point(100, [1])])
        let text = Comparison(before: small, after: full).text
        #expect(text.contains("different sizes, scale small and full"))
        #expect(text.contains("only in a: queues-1\nonly in b: queues-100"))
        #expect(!Comparison(before: full, after: full).text.contains("different"))
    }

    @Test func `two results in one file are refused`() throws {
        let machine = try ResultLines.line(
            BenchMachine([], arguments: [], scale: "tiny", runs: 1))
        #expect {
            try ResultLines("\(machine)\n\(machine)", from: "a.jsonl")
        } throws: {
            "\($0)".contains("two results")
        }
    }
}

/// Counts the elements of a document.
private final class XMLCount: NSObject, XMLParserDelegate {
    var elements: [String: Int] = [:]

    func parse(_ text: String) -> Bool {
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        return parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String] = [:]
    ) { elements[name, default: 0] += 1 }
}
