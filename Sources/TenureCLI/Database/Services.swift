import Logging
package import ServiceLifecycle
import Tenure
import TenureCoordinator
package import TenureWorker
import UnixSignals

/// What runs until it is told to stop.
extension Database {
    /// What `--version` prints, and what sessions call the program's release.
    static let release = "0.1.0-dev"

    /// - Parameter jobs: the kinds it runs; the product's if nil.
    package func worker(_ jobs: JobRegistry? = nil) throws -> Worker {
        var configuration = WorkerConfiguration()
        configuration.queues = settings.queues
        configuration.lease = settings.lease
        configuration.grace = settings.grace
        configuration.pollInterval = settings.poll
        configuration.listeningPollInterval = max(settings.poll, .seconds(30))
        configuration.listens = settings.listen
        configuration.listensOn = try settings.listenURL.map { try PostgresConfiguration($0) }
        configuration.exitWhenStuckFor = settings.exitWhenStuck
        configuration.release = Self.release
        if let name = settings.name { configuration.name = name }
        return try Worker(
            pool: pool, jobs: jobs ?? parts.registry(), configuration: configuration, logger: logger
        )
    }

    /// With the product's schedules, where its tables are there.
    func coordinator() async throws -> Coordinator {
        var configuration = CoordinatorConfiguration()
        configuration.lease = settings.lease
        configuration.name = settings.name ?? WorkerName.ofThisProcess
        configuration.release = Self.release
        configuration.tick = settings.tick
        configuration.keepEnded = settings.keepEnded
        configuration.keepDiscarded = settings.keepDiscarded
        configuration.keepActions = settings.keepActions
        configuration.breaker =
            settings.breakerDeaths == 0
            ? nil : KindBreaker(deaths: settings.breakerDeaths, within: settings.breakerWindow)
        let isProduct = try await schemas().count > 1
        return try Coordinator(
            pool: pool, owning: "tenure",
            schedules: isProduct ? ProductJobs.schedules(parts) : [],
            configuration: configuration, logger: logger)
    }

    /// Runs services until one of them fails, operators have stopped all workers and coordinators
    /// among them, or SIGTERM or SIGINT asks for a graceful shutdown; a second one ends the grace
    /// period.
    package func serve(_ services: [any Service]) async throws {
        let services = stoppable(services)
        let all = (shared.map { [$0 as any Service] } ?? []) + services
        var configuration = ServiceGroupConfiguration(
            services: all.map {
                .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.logging.keys.errorKey = "error"
        let group = ServiceGroup(configuration: configuration)
        Interrupt.handOver()
        Descriptors.raise()
        do {
            guard let port = settings.metricsPort else { return try await group.run() }
            try await metricsServer(port, services).serve { try await group.run() }
        } catch is CancellationError {
            // All have ended in good order, only faster.
        }
    }

    private func stoppable(_ services: [any Service]) -> [any Service] {
        let names = services.map { service -> String? in
            switch service {
            case is Worker: "worker"
            case is Coordinator: "coordinator"
            case let child as ChildWorker: "worker process \(child.number)"
            default: nil
            }
        }
        let count = StoppablePart.Count(names.count { $0 != nil })
        return zip(services, names).map { service, name in
            guard let name else { return service }
            return StoppablePart(service, called: name, of: count, logger: logger)
        }
    }

    /// A part that is away because somebody wants it so doesn't make the others unready.
    private func metricsServer(_ port: Int, _ services: [any Service]) -> MetricsServer {
        var parts: [MetricsServer.Part] = []
        var coordinates = false
        for part in services.compactMap({ $0 as? StoppablePart }) {
            if let worker = part.service as? Worker {
                parts.append(
                    .init(name: "worker", isReady: { part.wasStopped || worker.isReady }))
            } else if let coordinator = part.service as? Coordinator {
                parts.append(
                    .init(name: "coordinator", isReady: { part.wasStopped || coordinator.isReady }))
                coordinates = true
            }
        }
        return MetricsServer(
            host: settings.metricsHost, port: UInt16(port), parts: parts,
            figures: coordinates ? figures() : nil, logger: logger)
    }

    private func figures() -> RecentFigures {
        let figures = DatabaseFigures(inspector: inspector)
        return RecentFigures { await figures.text() }
    }

    /// The queue's schema, and the product's where it was made: programs that only have jobs of
    /// their own do without.
    func schemas() async throws -> [MigrationSet] {
        var found: [MigrationSet] = [.tenure]
        for set in ProductJobs.migrations where try await migrator(set).exists() {
            found.append(set)
        }
        return found
    }

    /// Brings schemas to what this program knows.
    /// - Returns: the names of what was applied.
    func migrate(_ sets: [MigrationSet] = MigrationSet.all) async throws -> [String] {
        var applied: [String] = []
        for set in sets {
            applied += try await migrator(set).up().map { name in
                name == Migrator.functions ? "the functions of \(set.schema)" : name
            }
        }
        return applied
    }

    /// The schemas whose functions a newer release has put in place: they stay.
    func newerFunctions() async throws -> [String] {
        var schemas: [String] = []
        for set in try await self.schemas() {
            let status = try await migrator(set).status()
            if status.contains(where: { $0.name == Migrator.functions && $0.state == .ahead }) {
                schemas.append(set.schema)
            }
        }
        return schemas
    }

    func migrator(_ set: MigrationSet) -> Migrator {
        Migrator(pool: pool, set)
    }
}
