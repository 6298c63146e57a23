import ArgumentParser
import Logging
import Tenure

struct WebCommand: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Show the console in a browser, until SIGTERM or SIGINT.",
        discussion: """
            Queues, jobs, workers, keys, batches, schedules and lanes, as they change, with every \
            verb. It acts as the database's user that it connects as: one of the role \
            tenure_reader looks, and changes nothing. It serves this machine alone, and prints a \
            link that lets one browser in, once. Each page is JSON for programs that send \
            "Accept: application/json", and, in TENURE_WEB_TOKEN's words, "Authorization: Bearer".

            Example:
              tenure web
              TENURE_WEB_TOKEN=$(openssl rand -hex 32) tenure web --port 7412 --hide-payloads
            """)

    @Option(help: "The port on 127.0.0.1; 0 for any that is free.") var port = ConsoleServer.usual
    @Flag(help: "Show no payload and no result of a job.") var hidePayloads = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port is \(port); give 0 to 65535")
        }
    }

    func execute() async throws {
        let token = SettingSources.variable(ConsoleServer.tokenVariable)
        try ConsoleServer.check(token)
        let settings = try await common.settings([:], logLevel: .info)
        try await Database.current(settings) { database in
            let server = ConsoleServer(
                database: database, port: port, hidesPayloads: hidePayloads, token: token)
            try await database.serve([server])
        }
    }
}
