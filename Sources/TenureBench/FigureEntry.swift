import TenureCLI

/// Everything that `tenure-bench` can measure.
struct FigureEntry: Sendable {
    let name: String
    let group: String
    let summary: String
    /// Reports its results to the run, each as soon as it has been measured.
    let measure: @Sendable (BenchRun) async throws -> Void

    static let all =
        throughput + latency + waiting + endurance + scale + pages + [
            FigureEntry("allocations", "cost", "heap allocations per no-op job") {
                try await AllocationsFigure(bench: $0).measure()
            }
        ]

    private static let throughput = [
        FigureEntry("drain", "throughput", "no-op jobs through one worker, none kept") {
            try await DrainFigure(bench: $0, keeps: false).measure()
        },
        FigureEntry("history", "throughput", "the same, completed jobs kept") {
            try await DrainFigure(bench: $0, keeps: true).measure()
        },
        FigureEntry("enqueue", "throughput", "bulk enqueue, without and with keys") {
            try await EnqueueFigure(bench: $0).measure()
        },
        FigureEntry("produce", "throughput", "one enqueue per transaction, 8 producers") {
            try await ProduceFigure(bench: $0, each: $0.scale.singleEnqueues).measure()
        },
        FigureEntry("supersede", "throughput", "1 and 10,000 keys, with and without a snapshot") {
            try await SupersedeFigure(bench: $0).measure()
        },
    ]

    private static let latency = [
        FigureEntry("pick-up", "latency", "commit of an enqueue to its handler, idle worker") {
            try await PickUpFigure(bench: $0).measure()
        },
        FigureEntry("verdict", "latency", "superseded or cancelled, until the handler sees it") {
            try await VerdictFigure(bench: $0).measure()
        },
    ]

    private static let waiting = [
        FigureEntry("waits", "waiting", "10,000 in, 10,000 out, 1,000 in a row, by 8 workers") {
            try await WaitsFigure(bench: $0).measure()
        },
        FigureEntry("signals", "waiting", "100,000 waiting jobs: idle cost, signal to handler") {
            try await SignalsFigure(bench: $0).measure()
        },
    ]

    private static let endurance = [
        FigureEntry("decay", "decay", "a long run under one open snapshot, end to start") {
            try await DecayFigure(bench: $0).measure()
        },
        FigureEntry("idle", "idle", "statements, CPU and memory of an idle worker") {
            try await IdleFigure(bench: $0).measure()
        },
    ]

    private static let scale = [
        FigureEntry("processes", "scale", "drain by 1 to 16 worker processes") {
            try await ScaleFigures(bench: $0).processes()
        },
        FigureEntry("producers", "scale", "one enqueue per transaction, 1 to 16 producers") {
            try await ScaleFigures(bench: $0).producers()
        },
        FigureEntry("depth", "scale", "a claim's latency, few to millions of jobs waiting") {
            try await DepthFigure(bench: $0).measure()
        },
        FigureEntry("queues", "scale", "drain of 1 to 1,000 queues by one worker") {
            try await ScaleFigures(bench: $0).queues()
        },
        FigureEntry("payload", "scale", "drain of payloads of 100 bytes to 100 KiB") {
            try await ScaleFigures(bench: $0).payload()
        },
        FigureEntry("keyed", "scale", "drain of 1 % to 50 % keyed jobs") {
            try await ScaleFigures(bench: $0).keyed()
        },
    ]

    private static let pages = [
        FigureEntry("tokenizer", "fetch", "HTML of PostgreSQL's manual into tokens, one core") {
            try await PageFigures.reading($0) { try await $0.tokenizer() }
        },
        FigureEntry("fetch", "fetch", "fetch, parse, references; no database") {
            try await PageFigures.reading($0) { try await $0.fetch() }
        },
        FigureEntry("items", "fetch", "content-fetch of each page, everything committed") {
            try await PageFigures.keeping($0) { try await $0.items() }
        },
        FigureEntry("site", "fetch", "tenure check --site, first run and second") {
            try await PageFigures.keeping($0) { try await $0.site() }
        },
    ]

    init(
        _ name: String, _ group: String, _ summary: String,
        _ measure: @escaping @Sendable (BenchRun) async throws -> Void
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.measure = measure
    }

    /// The figures of a list of names and groups; all where it is empty.
    static func chosen(_ names: [String]) throws -> [FigureEntry] {
        if names.isEmpty { return all }
        if let unknown = names.first(where: { name in
            !all.contains { $0.name == name || $0.group == name }
        }) {
            throw Failure(
                "there is no figure \"\(unknown)\"; there are "
                    + all.map(\.name).joined(separator: ", ") + ", and the groups "
                    + groups.joined(separator: ", "))
        }
        return all.filter { names.contains($0.name) || names.contains($0.group) }
    }

    static var groups: [String] {
        all.map(\.group).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
