import EmbeddedPostgres
import FaultSupport
import Logging
import Tenure
import TenureSystem

/// The rig's PostgreSQL, on a disk that can be filled, and with a clock that can be stepped.
final class Database: Sendable {
    let server: EmbeddedPostgres
    let clock: SteppedClock
    /// A connection of the rig's own, past all proxies.
    let pool: PostgresPool
    private let turn = Turn()

    init(folder: String, clock: SteppedClock) async throws {
        self.clock = clock
        var configuration = EmbeddedPostgresConfiguration(folder: folder, isTemporary: true)
        configuration.settings = [
            "max_wal_size": "256MB", "checkpoint_timeout": "30s", "log_checkpoints": "off",
            // A recovery begins by syncing the whole cluster: in one call, or file by file.
            "recovery_init_sync_method": "syncfs",
        ]
        configuration.environment = clock.environment
        server = try await EmbeddedPostgres.start(configuration)
        var logger = Logger(label: "rig")
        logger.logLevel = .critical
        pool = PostgresPool(
            configuration: try PostgresConfiguration(server.conninfo), size: 4, logger: logger)
    }

    /// Migrates, and installs the witness.
    func prepare() async throws {
        try await Migrator(pool: pool).up()
        try await pool.simple(String(decoding: PackageResources.audit_sql, as: UTF8.self))
        try await pool.simple("SELECT tenure.limit_queue('limited', \(JobMaker.queueLimit))")
        try await pool.simple(
            "INSERT INTO tenure.queue (name, keep_completed) VALUES ('plain', false)")
    }

    var socketFile: String {
        let host = server.conninfo.split(separator: "'")[1]
        return "\(host)/.s.PGSQL.5432"
    }

    /// Who kills and starts the server does so one after the other.
    func exclusively<Result: Sendable>(
        _ body: () async throws -> Result
    ) async throws -> Result {
        await turn.take()
        defer { turn.give() }
        return try await body()
    }

    private var postmaster: pid_t? {
        guard let text = Files.read("\(server.dataPath)/postmaster.pid"),
            let pid = pid_t(text.prefix { $0.isNumber }),
            Files.read("/proc/\(pid)/comm") == "postgres\n"
        else { return nil }
        return pid
    }

    /// Sends a signal to the postmaster.
    func signal(_ signal: Int32) {
        if let postmaster { kill(postmaster, signal) }
    }

    /// Brings the server back if it is gone, and returns when it takes statements.
    func bringUp() async throws {
        let limit = ContinuousClock.now + .seconds(120)
        while true {
            if postmaster == nil { try await restart() }
            do {
                return try await pool.simple("SELECT 1", deadline: .milliseconds(500))
            } catch let error as PostgresError {
                if ContinuousClock.now > limit { throw error }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// A start may fail while the disk is full or the last one is still ending.
    private func restart() async throws {
        for attempt in 1... {
            do {
                return try await server.restart()
            } catch {
                if attempt == 20 { throw error }
                try await Task.sleep(for: .milliseconds(300))
            }
        }
    }

    func number(_ sql: String, deadline: Duration = .seconds(5)) async throws -> Int64 {
        try await pool.query(sql, deadline: deadline) { try $0.decode(0, as: Int64.self) }[0]
    }
}
