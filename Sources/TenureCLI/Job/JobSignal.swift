import ArgumentParser
import Tenure
import TenureFoundation

struct JobSignal: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "signal", abstract: "Send a signal to a job that waits for it, or will.",
        discussion: """
            A job that waits for it goes on. One that has not come so far receives it when it \
            does. Ends with 1 when the job is over.

            Example:
              tenure job signal 01990000-0000-7000-8000-000000000000 approved \
            --payload '{"by":"ada"}'
            """)

    @Argument(help: "The job's id.", transform: JobArgument.id) var id: JobID
    @Argument(help: "The signal's name, as the handler waits for it.") var name: String
    @OptionGroup var signal: SignalFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> SignalReport {
        let result = try await Operator(client: database.client, as: signal.whom).signal(
            id, name, json: try signal.json(), id: try signal.identity())
        if result == .unknown { throw Failure.noJob(id) }
        return SignalReport(job: "job \(id)", name: name, result: result)
    }
}

struct SignalFlags: ParsableArguments {
    @Option(help: "What the job gets with it: JSON, @FILE, or - for standard input.")
    var payload: String?
    @Option(help: "Under which the signal counts once, however often it is sent: a UUID.")
    var signalID: String?
    @Option(help: "Who sends it, for those who look later. (default: the user's name)")
    var by: String?

    var whom: String { by ?? Whom.name }

    func json() throws -> String? { try payload.map { try PayloadSource.read($0) } }

    func identity() throws -> UUID {
        guard let signalID else { return UUID() }
        guard let id = UUID(uuidString: signalID) else {
            throw Failure("--signal-id is \(signalID), and no UUID")
        }
        return id
    }
}

/// What came of a signal.
struct SignalReport: Report {
    let job: String
    let name: String
    let result: SignalResult

    func encode(to encoder: any Encoder) throws {
        try encoder.write(["to": job, "signal": name, "result": result])
    }

    var hasFindings: Bool { result == .finished }

    var text: String {
        switch result {
        case .woken: "\(job) goes on: it waited for \"\(name)\""
        case .kept: "\(job) has not waited for \"\(name)\" yet, and receives it when it does"
        case .repeated: "\(job) had \"\(name)\" under this id before: nothing was added"
        case .finished: "\(job) is over, and receives nothing any more"
        case .unknown: "there is no unfinished \(job)"
        }
    }
}
