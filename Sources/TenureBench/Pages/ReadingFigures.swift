import Content
import Synchronization
import TenureCLI
import TenureSystem

/// What pages cost without a database: tokens on one core, and fetch, parse and references of
/// pages behind nginx.
struct ReadingFigures {
    let bench: BenchRun
    let manual: Manual
    private static let atATime = 16

    func tokenizer() async throws {
        let pages = try manual.pages()
        let bytes = pages.reduce(0) { $0 + $1.count }
        var rates: [Double] = []
        var tokens = 0
        try await bench.rounds("tokenizer") { _ in
            tokens = 0
            let seconds = await BenchRun.seconds {
                for _ in 0..<bench.scale.passes {
                    for page in pages { tokens += PageReading.tokens(in: page) }
                }
            }
            rates.append(Double(bytes * bench.scale.passes) / seconds / 1e6)
        }
        let details = [
            "pages": Double(pages.count), "bytes": Double(bytes),
            "tokens": Double(tokens / bench.scale.passes),
        ]
        try bench.report([
            FigureResult(
                "tokenizer", unit: "MB/s", rates, bar: .atLeast(300), details: details)
        ])
    }

    func fetch() async throws {
        var rates: [Double] = []
        var cpu: [Double] = []
        var memory: [Double] = []
        var seen = [0.0, 0.0]
        var references = 0
        try await ManualServer.with(manual, in: bench.yardstick.folder) { server in
            let reading = try PageReading()
            let urls = manual.names.map { server.url($0) }
            references = try await Self.read(urls, reading)
            try await bench.rounds("fetch") { _ in
                let passes = bench.scale.passes
                let before = ProcessUsage.cpuSeconds(getpid())
                var samples: [Double] = []
                let seconds = try await BenchRun.seconds {
                    for _ in 0..<passes {
                        let found = try await Self.read(urls, reading)
                        guard found == references else {
                            throw Failure("\(found) references now, \(references) before")
                        }
                        samples.append(ProcessUsage.residentMiB(getpid()))
                    }
                }
                let count = Double(urls.count * passes)
                rates.append(count / seconds)
                cpu.append((ProcessUsage.cpuSeconds(getpid()) - before) / count * 1e6)
                seen = [samples[0], samples[samples.count - 1]]
                memory.append(seen[1] / seen[0])
            }
        }
        try report(rates, cpu, memory, seen, references)
    }

    private func report(
        _ rates: [Double], _ cpu: [Double], _ memory: [Double], _ seen: [Double],
        _ references: Int
    ) throws {
        let details = [
            "pages": Double(manual.names.count), "passes": Double(bench.scale.passes),
            "references": Double(references), "at_a_time": Double(Self.atATime),
        ]
        try bench.report([
            FigureResult("fetch", unit: "pages/s", rates, bar: .atLeast(4000), details: details),
            FigureResult("fetch-cpu", unit: "us/page", cpu, details: details),
            FigureResult(
                "fetch-memory", unit: "last/first pass", memory, bar: .atMost(1.1, "× first"),
                details: ["first_mib": seen[0], "last_mib": seen[1]]),
        ])
    }

    /// - Returns: how many references they have.
    private static func read(_ urls: [String], _ reading: PageReading) async throws -> Int {
        let next = Next()
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<atATime {
                group.addTask {
                    var found = 0
                    while let url = next.of(urls) { found += try await reading.read(url) }
                    return found
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private final class Next: Sendable {
        private let index = Atomic<Int>(0)

        func of(_ urls: [String]) -> String? {
            let mine = index.add(1, ordering: .relaxed).oldValue
            return mine < urls.count ? urls[mine] : nil
        }
    }
}
