import ArgumentParser
import Logging
import Tenure

struct WebCommand: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Show the console in a browser, until SIGTERM or SIGINT.",
        discussion: """
            Queues, jobs, workers, keys, batches, schedules and lanes, as they change, with every \
            verb. It serves this machine alone, acts as the database's user that it connects as, \
            and prints a link that lets one browser in, once; SIGUSR1 has it print another. One \
            of the role tenure_reader looks, and changes nothing.

            To serve others it wants to know who they are. With --log-in role each logs in by a \
            role of the database and its password, and the console acts as that role. With \
            --trust-header it believes a proxy, at the addresses of --trusted-proxies alone. \
            Programs send "Accept: application/json" and, in TENURE_WEB_TOKEN's words, \
            "Authorization: Bearer"; they act as the console's own user. Flags are settings: \
            --log-in is TENURE_WEB_LOG_IN, and "webLogIn" in a file.

            Example:
              tenure web
              TENURE_WEB_TOKEN=$(openssl rand -hex 32) tenure web --port 7412 --hide-payloads
              tenure web --host 0.0.0.0 --log-in role --tls-certificate web.pem --tls-key web.key
              tenure web --host 10.0.0.7 --trust-header X-Remote-User --trusted-proxies 10.0.0.5
            """)

    @OptionGroup var console: ConsoleFlags
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings(console.values, logLevel: .info)
        let options = try settings.console()
        try await Database.current(settings) { database in
            try await database.serve([try ConsoleServer(database, options)])
        }
    }
}
