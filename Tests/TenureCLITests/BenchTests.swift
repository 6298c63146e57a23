import Foundation
import Tenure
import TenureCLI
import Testing

@testable import TenureBench

/// The parts of the benchmark that say something by themselves.
@Suite struct BenchTests {
    @Test func `a median is the middle, and a percentile a value that was seen`() {
        #expect(Statistics.median([3, 1, 2]) == 2)
        #expect(Statistics.median([4, 1, 2, 3]) == 2.5)
        #expect(Statistics.median([]) == 0)
        #expect(Statistics.percentile(0.5, of: [1, 2, 3, 4]) == 2)
        #expect(Statistics.percentile(0.99, of: (1...100).map(Double.init)) == 99)
        #expect(Statistics.percentile(0.99, of: [7]) == 7)
        #expect(Statistics.percentile(0, of: [7, 8]) == 7)
    }

    @Test func `runs overlap, or lie apart`() throws {
        let low = try #require(Spread([1, 2, 3]))
        #expect(low.isApart(from: try #require(Spread([4, 5]))))
        #expect(!low.isApart(from: try #require(Spread([3, 5]))))
        #expect(Spread([]) == nil)
    }

    @Test func `the ratio to raw is one of medians, and decides about the bar`() {
        let result = FigureResult(
            "drain", unit: "jobs/s", [80, 100, 60], raw: [100, 100, 1000],
            baseline: ("one", [40]), bar: .atLeast(0.8, of: .raw))
        #expect(result.median == 80)
        #expect(result.min == 60)
        #expect(result.max == 100)
        #expect(result.ratioToRaw == 0.8)
        #expect(result.ratioToBaseline == 2)
        #expect(result.bar == "≥ 0.8 × raw")
        #expect(result.isMet == true)
        let without = FigureResult("drain", unit: "jobs/s", [80], bar: .atLeast(0.8, of: .raw))
        #expect(without.ratioToRaw == nil)
        #expect(without.isMet == nil)
        #expect(FigureResult("a", unit: "ms", [1.5], bar: .atMost(1, "ms")).isMet == false)
    }

    @Test func `a line of a result is read back, and has every key`() throws {
        let result = FigureResult("pick-up-p50", unit: "ms", [0.5, 0.25], details: ["jobs": 3])
        let line = try ResultLines.line(result)
        for key in ["figure", "median", "min", "max", "ratio_to_raw", "bar", "met", "runs"] {
            #expect(line.contains("\"\(key)\":"))
        }
        let lines = try ResultLines("\(line)\n\(line)\n", from: "a")
        #expect(lines.figures.count == 2)
        #expect(lines.figures[0].runs == [0.5, 0.25])
        #expect(lines.figures[0].details == ["jobs": 3])
    }

    @Test func `what is no result is refused with its line`() {
        #expect {
            try ResultLines("{\"figure\":\"a\"}", from: "a.jsonl")
        } throws: {
            "\($0)".contains("line 1 of a.jsonl")
        }
        #expect(throws: Failure.self) { try ResultLines(file: "no such file") }
    }

    @Test func `two results stand side by side`() throws {
        func lines(_ results: FigureResult...) throws -> ResultLines {
            try ResultLines(results.map(ResultLines.line).joined(separator: "\n"), from: "a")
        }
        let before = try lines(
            FigureResult("drain", unit: "jobs/s", [100, 110], raw: [200]),
            FigureResult("gone", unit: "ms", [1]))
        let after = try lines(FigureResult("drain", unit: "jobs/s", [210, 220], raw: [200]))
        let text = Comparison(before: before, after: after).text
        let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows[1].first == "drain")
        #expect(rows[1].contains("2.05"))  // 215 to 105
        #expect(rows[1].last == "yes")
        #expect(rows[2].first == "gone")
    }

    @Test func `pgbench's rate is found in what it prints`() {
        let output = """
            latency average = 1.2 ms
            initial connection time = 2.3 ms
            tps = 1234.56 (without initial connection time)
            """
        #expect(PgbenchOutput.rate(in: output) == 1234.56)
        #expect(PgbenchOutput.rate(in: "pgbench: error") == nil)
    }

    @Test func `figures are chosen by name or group`() throws {
        #expect(try FigureEntry.chosen([]).count == FigureEntry.all.count)
        #expect(try FigureEntry.chosen(["latency"]).map(\.name) == ["pick-up", "verdict"])
        #expect(try FigureEntry.chosen(["idle", "drain"]).map(\.name) == ["drain", "idle"])
        #expect(throws: Failure.self) { try FigureEntry.chosen(["speed"]) }
    }
}

/// The benchmark as a whole, on a server that others use.
@Suite struct BenchCommandTests {
    @Test func `it measures in a place of its own, prints a line each, and leaves nothing`()
        async throws
    {
        let fixture = try await Fixture()
        let result = try await fixture.tenure.measuring.run(
            "--scale", "tiny", "--runs", "1", "--figures", "drain,pick-up,queues", "--json"
        )
        #expect(result.code == 0, "\(result.errors)")
        let lines = try ResultLines(result.output, from: "standard output")
        #expect(lines.machine?.scale == "tiny")
        let names = lines.figures.map(\.figure)
        let drain = ["drain", "drain-wal", "drain-cpu", "drain-commits"]
        #expect(names == drain + ["pick-up-p50", "pick-up-p99", "queues-1", "queues-10"])
        #expect(lines.sweeps.map(\.points.count) == [2])
        #expect(lines.sweeps[0].points.allSatisfy { $0.ratioToRaw != nil })
        #expect(lines.figures.allSatisfy { $0.median > 0 })
        #expect(lines.figures[0].ratioToRaw != nil)
        #expect(try await fixture.jobs() == 0)
        #expect(result.errors.contains("tenure_bench_"))
    }

    @Test func `without the right to make a database it works in a schema of its own`()
        async throws
    {
        let fixture = try await Fixture()
        let role = "bench_" + String(UInt32.random(in: 0 ... .max), radix: 36)
        let database = try await fixture.value("SELECT current_database()", as: String.self)
        try await fixture.pool.query("CREATE ROLE \(role) LOGIN")
        try await fixture.pool.query("GRANT CREATE ON DATABASE \(database) TO \(role)")
        let result = try await fixture.tenure.measuring
            .with("DATABASE_URL", "\(fixture.conninfo) user=\(role)")
            .run("--scale", "tiny", "--runs", "1", "--figures", "drain", "--json")
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("schema tenure_bench_"))
        #expect(try ResultLines(result.output, from: "standard output").figures.count == 4)
        let left = try await fixture.value(
            "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'tenure_bench_%'", as: Int64.self)
        #expect(left == 0)
    }

    @Test func `Ctrl-C removes what it made, or says within a minute that it is still there`()
        async throws
    {
        let fixture = try await Fixture()
        let bench = try fixture.tenure.measuring.start(
            "--scale", "small", "--figures", "drain", "--json")
        try await eventually("it has begun") { bench.errors.contains("run 1 of 3") }
        let name = try #require(
            bench.errors.split(separator: " ").first { $0.hasPrefix("tenure_bench_") })
        bench.send(SIGINT)
        let result = try await bench.result()
        #expect(result.code == 3)
        let left = try await fixture.value(
            "SELECT count(*) FROM pg_database WHERE datname = '\(name.dropLast())'", as: Int64.self)
        // Dropping a database waits for a checkpoint, beside everything else that is tested.
        let isSaid = result.errors.contains("\(name.dropLast()) is still there: drop it")
        #expect(left == (isSaid ? 1 : 0), "\(result.errors)")
    }

    @Test func `bad flags are told`() async throws {
        let tenure = Command().measuring
        let runs = try await tenure.run("--runs", "0")
        #expect(runs.code == 2)
        #expect(runs.errors.contains("give 1 to 99"))
        let compare = try await tenure.run("--compare", "a")
        #expect(compare.errors.contains("two files"))
        let markdown = try await tenure.run("--markdown")
        #expect(markdown.code == 2)
        #expect(markdown.errors.contains("need --show"))
        let figures = try await tenure.run("--figures", "drain,speed")
        #expect(figures.code == 2)
        #expect(figures.errors.contains("no figure \"speed\"; there are drain, history"))
    }

    @Test func `a result is printed as a page, with its drawings`() async throws {
        try await withFolder { folder in
            let point = FigureResult(
                "keyed-1", unit: "jobs/s", [1, 2], raw: [3],
                sweep: SweepPoint(name: "keyed", axis: "%", at: 1))
            try Data(ResultLines.line(point).utf8).write(to: URL(filePath: "\(folder)/a.jsonl"))
            let result = try await Command(folder: folder).measuring
                .run("--show", "a.jsonl", "--markdown", "--plot", "some/plots")
            #expect(result.code == 0, "\(result.errors)")
            #expect(result.output.contains("](plots/keyed.svg)"))
            let svg = try String(contentsOfFile: "\(folder)/some/plots/keyed.svg", encoding: .utf8)
            #expect(svg.hasPrefix("<svg "))
            let twice = try await Command(folder: folder).measuring
                .run("--show", "a.jsonl", "a.jsonl", "--plot", "plots")
            #expect(twice.code == 2)
            #expect(twice.errors.contains("two of the files have keyed"))
        }
    }
}
