/// Everything that `tenure bench` can measure.
struct FigureEntry: Sendable {
    let name: String
    let group: String
    let summary: String
    let measure: @Sendable (BenchRun) async throws -> [FigureResult]

    static let all = [
        FigureEntry(
            name: "drain", group: "throughput",
            summary: "no-op jobs through one worker process, nothing kept; WAL per job",
            measure: { try await DrainFigure(bench: $0, keeps: false).measure() }),
        FigureEntry(
            name: "history", group: "throughput", summary: "the same, completed jobs kept",
            measure: { try await DrainFigure(bench: $0, keeps: true).measure() }),
        FigureEntry(
            name: "enqueue", group: "throughput",
            summary: "bulk enqueue, without keys and with distinct ones",
            measure: { try await EnqueueFigure(bench: $0).measure() }),
        FigureEntry(
            name: "produce", group: "throughput",
            summary: "one enqueue per transaction, 8 producers",
            measure: { try await ProduceFigure(bench: $0).measure() }),
        FigureEntry(
            name: "supersede", group: "throughput",
            summary: "supersedes of 1 and of 10,000 keys, without and with an open snapshot",
            measure: { try await SupersedeFigure(bench: $0).measure() }),
        FigureEntry(
            name: "pick-up", group: "latency",
            summary: "idle worker: commit of the enqueue to start of the handler",
            measure: { try await PickUpFigure(bench: $0).measure() }),
        FigureEntry(
            name: "verdict", group: "latency",
            summary: "superseded or cancelled, until the handler sees it",
            measure: { try await VerdictFigure(bench: $0).measure() }),
        FigureEntry(
            name: "decay", group: "decay",
            summary: "throughput under one open snapshot, its end to its start",
            measure: { try await DecayFigure(bench: $0).measure() }),
        FigureEntry(
            name: "idle", group: "idle", summary: "statements, CPU and memory of an idle worker",
            measure: { try await IdleFigure(bench: $0).measure() }),
        FigureEntry(
            name: "processes", group: "scale", summary: "two and eight worker processes to one",
            measure: { try await ProcessesFigure(bench: $0).measure() }),
        FigureEntry(
            name: "depth", group: "scale",
            summary: "latency of a claim, many jobs waiting to few",
            measure: { try await DepthFigure(bench: $0).measure() }),
        FigureEntry(
            name: "allocations", group: "cost", summary: "heap allocations per no-op job",
            measure: { try await AllocationsFigure(bench: $0).measure() }),
    ]

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
