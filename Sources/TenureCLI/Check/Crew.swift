import Content
import Tenure

/// The workers that a command starts for itself, each a process of its own that ends with it.
struct Crew: Sendable {
    let database: Database
    let common: CommonFlags
    let lease: String
    var environment: [String: String] = [:]
    static let usual = 1
    private static let slots = 16
    /// For one that is away for a while a worker waits longer, before it says so.
    private static let mostRefusals = 3
    /// Most of a slot's time is a server's. What a connection does first takes the database ten
    /// times as long as what it does next, and a check is over soon.
    private static let connections = 6

    /// Runs a worker once nobody else does what is asked for, now or later: a worker that was
    /// killed counts as live until its lease ends.
    func standIn(for kind: JobKind, in queue: QueueName) async throws {
        while try await database.inspector.sessions().contains(where: {
            $0.state == .live && $0.queues.contains(queue) && $0.kinds.contains(kind)
        }) {
            try await Task.sleep(for: .seconds(1))
        }
        try await child(1, queue).run()
    }

    func child(_ number: Int, _ queue: QueueName) -> ChildWorker {
        var worker: [Setting: String] = [
            .queues: "\(queue):\(Self.slots)", .lease: lease, .grace: "1s", .poll: "250ms",
            .poolSize: "\(min(database.settings.poolSize, Self.connections))",
        ]
        if common.logLevel == nil { worker[.logLevel] = "error" }
        return ChildWorker(
            number: number, arguments: ChildArguments.make(common, worker, number: number),
            databaseURL: database.shared?.conninfo ?? database.settings.databaseURL ?? "",
            environment: environment, grace: .seconds(1), logger: database.logger,
            mostRefusals: Self.mostRefusals)
    }
}
