import Content
import Tenure

/// The workers that a command starts for itself, each a process of its own that ends with it.
struct Crew: Sendable {
    let database: Database
    let common: CommonFlags
    let lease: String
    var environment: [String: String] = [:]
    static let usual = 2

    /// How many to start: none where workers run that know the work.
    func wanted(needsOwn: Bool = false) async throws -> Int {
        if needsOwn { return Self.usual }
        let alive = try await database.inspector.sessions().filter { $0.state == .live }
        return alive.contains { $0.kinds.contains(ContentFetch.kind) } ? 0 : Self.usual
    }

    func child(_ number: Int, _ queue: QueueName) -> ChildWorker {
        var worker: [Setting: String] = [
            .queues: "\(queue):8", .lease: lease, .grace: "1s", .poll: "250ms",
        ]
        if common.logLevel == nil { worker[.logLevel] = "error" }
        return ChildWorker(
            number: number, arguments: ChildArguments.make(common, worker, number: number),
            databaseURL: database.shared?.conninfo ?? database.settings.databaseURL ?? "",
            environment: environment, grace: .seconds(1), logger: database.logger)
    }
}
