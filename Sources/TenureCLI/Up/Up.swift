import ArgumentParser
import Logging
import ServiceLifecycle
import Tenure

struct Up: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "up", abstract: "Run everything: database, schema, coordinator, workers.",
        discussion: """
            Without a configured database it makes and runs a private PostgreSQL in \
            .tenure/postgres, which other commands in the same folder find and share. The schema \
            is migrated first. With --workers each worker is a process of its own, started again \
            when it ends unasked; without, one worker runs inside this process. With \
            --metrics-port the worker process of number n serves on that port + n. What tenure \
            worker stop ends is not started again, and up ends with the last of them. The \
            console is served, too, on --web-port, or where that is not free on any other, and \
            its link is printed: see tenure web, whose settings it has.

            Example:
              tenure up
              tenure up --workers 3 --queue default:20
            """)

    @Option(help: "Worker processes to start, 0 to 64.") var workers: Int?
    @Option(help: "The console's port; 0 for any that is free. (default: 7411)") var webPort: Int?
    @Flag(help: "Don't serve the console.") var noWeb = false
    @OptionGroup var worker: WorkerFlags
    @OptionGroup var coordinator: CoordinatorFlags
    @OptionGroup var web: WebFlags
    @OptionGroup var retention: RetentionFlags
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if let workers, !(0...64).contains(workers) {
            throw ValidationError("--workers is \(workers); give 0 to 64")
        }
        if let webPort, !(0...65_535).contains(webPort) {
            throw ValidationError("--web-port is \(webPort); give 0 to 65535")
        }
    }

    func execute() async throws {
        var values = worker.values.merging(coordinator.values) { _, new in new }
        values[.webPort] = webPort.map(String.init)
        let settings = try await common.settings(
            values, product: web.values.merging(retention.values) { own, _ in own },
            logLevel: .info)
        let console = noWeb ? nil : try settings.console()
        try await Database.with(settings, absent: .isMade) { database in
            let applied = try await database.migrate()
            database.logger.info(
                "up",
                metadata: [
                    "database": "\(database.pool.configuration)", "migrated": "\(applied.count)",
                ])
            let services = [try await database.coordinator()] + (try crew(database))
            guard let console else { return try await database.serve(services) }
            let server = try UpConsole(database, console)
            try await server.serve { try await database.serve(services) }
        }
    }

    private func crew(_ database: Database) throws -> [any Service] {
        guard let workers else { return [try database.worker()] }
        let url = database.shared?.conninfo ?? database.settings.databaseURL ?? ""
        return (0..<workers).map { number in
            ChildWorker(
                number: number + 1,
                arguments: ChildArguments.make(
                    common, worker.values, number: number + 1,
                    metricsPort: database.settings.metricsPort),
                databaseURL: url, listenURL: database.settings.listenURL,
                environment: web.environment.merging(retention.environment) { own, _ in own },
                grace: database.settings.grace,
                logger: database.logger)
        }
    }
}
