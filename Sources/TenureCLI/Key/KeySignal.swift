import ArgumentParser
import Tenure

struct KeySignal: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "signal", abstract: "Send a signal to the job of a key.",
        discussion: """
            The newest job of the key that is not out of date receives it, as with `tenure job \
            signal`.

            Example:
              tenure key signal order order-4711 paid --payload '{"amount":12}'
            """)

    @Argument(help: "The kind of job.") var kind: String
    @Argument(help: "The key.") var key: String
    @Argument(help: "The signal's name, as the handler waits for it.") var name: String
    @OptionGroup var signal: SignalFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> SignalReport {
        let result = try await Operator(client: database.client, as: signal.whom).signal(
            kind: JobKind(kind), key: key, name, json: try signal.json(),
            id: try signal.identity())
        if result == .unknown {
            throw Failure(
                "no unfinished job of kind \(kind) has the key \"\(key)\"; look with: "
                    + "tenure key show \(kind) \"\(key)\"")
        }
        return SignalReport(job: "the job of key \"\(key)\"", name: name, result: result)
    }
}
