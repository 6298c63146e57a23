import Content
import Tenure
import TenureCLI
import TenureFoundation

/// What pages cost with everything committed: fetched as items, and checked as a site. nginx, the
/// workers and PostgreSQL share the machine.
struct KeepingFigures {
    let bench: BenchRun
    let manual: Manual
    /// As many as may go in one commit.
    private static let slots = 32

    // MARK: Items

    /// One `content-fetch` for each page, by one worker process.
    func items() async throws {
        var rates: [Double] = []
        var memory: [Double] = []
        var seen = [0.0, 0.0]
        try await ManualServer.with(manual, in: bench.yardstick.folder) { server in
            try await bench.rounds("items") { _ in
                let (seconds, first, last) = try await fetchAll(server)
                rates.append(Double(manual.names.count) / seconds)
                seen = [first, last]
                memory.append(last / first)
            }
        }
        let details = [
            "pages": Double(manual.names.count), "slots": Double(Self.slots),
            "passes": Double(bench.scale.passes),
        ]
        try bench.report([
            FigureResult("items", unit: "pages/s", rates, bar: .atLeast(800), details: details),
            FigureResult(
                "items-memory", unit: "last/first pass", memory, bar: .atMost(1.1, "× first"),
                details: ["first_mib": seen[0], "last_mib": seen[1]]),
        ])
    }

    private func fetchAll(
        _ server: ManualServer
    ) async throws -> (seconds: Double, first: Double, last: Double) {
        try await bench.place.freshProduct { pool in
            let queue = BenchQueue(pool, [.default])
            try await queue.prepare(keeps: true)
            try await Hosts(client: queue.client, pool: pool).set(
                "127.0.0.1", maxRunning: 2 * Self.slots, minInterval: .zero, isOwn: true,
                by: "bench")
            return try await BenchCrew.with(shape, in: bench.place, pool) { crew in
                let seconds = try await pass(queue, server, force: false)
                let stored = try await pool.execute(CountStored())[0]
                guard stored == manual.names.count else {
                    throw Failure("\(stored) of \(manual.names.count) pages were stored")
                }
                let first = ProcessUsage.residentMiB(crew.processes[0].id)
                for _ in 1..<max(2, bench.scale.passes) {
                    _ = try await pass(queue, server, force: true)
                }
                return (seconds, first, ProcessUsage.residentMiB(crew.processes[0].id))
            }
        }
    }

    private func pass(
        _ queue: BenchQueue, _ server: ManualServer, force: Bool
    ) async throws -> Double {
        try await queue.pause()
        var content = ContentConfiguration()
        (content.requestsPerHost, content.hostInterval) = (2 * Self.slots, .zero)
        let ids = try await queue.fill(manual.names.count) { index in
            let fetch = ContentFetch(url: server.url(manual.names[index]), force: force)
            return try NewJob(fetch, .keeping(fetch.key), options: fetch.options(content))
        }
        return try await queue.drain(ids).seconds
    }

    private var shape: BenchCrew.Shape {
        BenchCrew.Shape(
            isProduct: true, slots: Self.slots, queues: [.default], connections: 8,
            environment: ["TENURE_CONTENT_ALLOW": "127.0.0.1/32"])
    }

    // MARK: Site

    /// `tenure check --site`, from the start of the command to its report, its workers included:
    /// first into empty tables, then again with nothing changed.
    func site() async throws {
        var first: [Double] = []
        var second: [Double] = []
        try await ManualServer.with(manual, in: bench.yardstick.folder) { server in
            try await bench.rounds("site") { _ in
                let (one, two) = try await bench.place.freshProduct { _ in
                    (try await check(server), try await check(server))
                }
                first.append(one)
                second.append(two)
            }
        }
        let details = ["pages": Double(manual.names.count)]
        try bench.report([
            FigureResult("site-first", unit: "s", first, bar: .atMost(3, "s"), details: details),
            FigureResult("site-second", unit: "s", second, bar: .atMost(1, "s"), details: details),
        ])
    }

    private func check(_ server: ManualServer) async throws -> Double {
        let report = "\(bench.yardstick.folder)/report"
        let seconds = try await BenchRun.seconds {
            // The shell, because standard output is this command's own.
            let process = try ChildProcess(
                program: "/bin/sh",
                arguments: [
                    "sh", "-c", #"exec "$0" "$@" >"$TENURE_BENCH_REPORT""#,
                    try ProductProgram.path(),
                    "check", "--site", server.url(), "--allow", "127.0.0.1/32",
                    "--format", "json", "--schema", bench.place.schema,
                ],
                environment: [
                    "TENURE_DATABASE_URL": BenchCrew.conninfo(bench.place),
                    "TENURE_BENCH_REPORT": report,
                ])
            let end = await withTaskCancellationHandler {
                await process.waitForEnd()
            } onCancel: {
                process.terminate(killingAfter: .seconds(5))
            }
            try Task.checkCancellation()
            guard case .code(0) = end else { throw Failure("tenure check ended with \(end)") }
        }
        let text = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
        guard text.contains("\"pages\" : \(manual.names.count + 1)") else {
            throw Failure("tenure check didn't find \(manual.names.count) pages")
        }
        return seconds
    }
}

/// Pages that were fetched and kept, with their bodies.
struct CountStored: PostgresStatement {
    static let sql = "SELECT count(*) FROM content.fetch_run f WHERE f.outcome = 'stored'"
    static func decode(_ row: borrowing PostgresRow) throws -> Int {
        Int(try row.decode(0, as: Int64.self))
    }
}
