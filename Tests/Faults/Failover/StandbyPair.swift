import EmbeddedPostgres
import FaultSupport
import Synchronization
import Tenure
import TenureSystem

/// A primary and its synchronous standby, and what an operator does when the one falls.
final class StandbyPair: Sendable {
    /// How the primary falls. It stands, if at all, cut off from its standby: nothing is confirmed.
    enum Fall: CaseIterable {
        /// Killed; the standby is promoted then.
        case killed
        /// Killed half a second after the standby was promoted.
        case promotedOver
        /// The same; meanwhile an operator cancels every wait for the standby.
        case waitsCancelled
        /// The same; stopped in good order, which ends every wait for the standby.
        case stopped
    }

    private static let cancelWaits = """
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
        """

    private struct Servers {
        var primary: EmbeddedPostgres
        var standby: EmbeddedPostgres
    }

    private let folders: [String]
    private let servers: Mutex<Servers>

    /// Leads to whichever takes writes.
    let conninfo: String

    init() async throws {
        let base = EmbeddedPostgresConfiguration.temporary().folder
        folders = ["\(base)a", "\(base)b"]
        let primary = try await EmbeddedPostgres.start(Self.configuration(folders[0]))
        let standby = try await primary.startStandby(Self.configuration(folders[1]))
        servers = Mutex(Servers(primary: primary, standby: standby))
        conninfo = """
            host='\(Self.socket(primary)),\(Self.socket(standby))' port=5432,5432 user=tenure \
            dbname=tenure target_session_attrs=read-write connect_timeout=2
            """
        try await requireStandby()
    }

    var primary: EmbeddedPostgres { servers.withLock { $0.primary } }

    /// Promotes the standby, and makes the old primary's place the new one's standby again.
    /// - Returns: when it began, when the old primary was gone, in boot time.
    func failOver(_ fall: Fall) async throws -> (began: Double, gone: Double) {
        let (old, new) = servers.withLock { ($0.primary, $0.standby) }
        let began = bootTime()
        if fall == .killed { old.kill() }
        // The new primary has no standby yet: until it has one it waits for none.
        try await new.psql(
            "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()",
            "SELECT pg_promote()")
        try await end(old, fall)
        let gone = bootTime()
        try await old.stop()
        let folder = folders.first { !new.dataPath.hasPrefix("\($0)/") } ?? folders[0]
        let standby = try await new.startStandby(Self.configuration(folder))
        servers.withLock { $0 = Servers(primary: new, standby: standby) }
        try await requireStandby()
        return (began, gone)
    }

    func stop() async throws {
        let servers = servers.withLock { $0 }
        try await servers.standby.stop()
        try await servers.primary.stop()
    }

    private func end(_ old: EmbeddedPostgres, _ fall: Fall) async throws {
        switch fall {
        case .killed: return
        case .promotedOver:
            try await Task.sleep(for: .milliseconds(500))
        case .waitsCancelled:
            for _ in 0..<10 {
                try await old.psql(Self.cancelWaits)
                try await Task.sleep(for: .milliseconds(50))
            }
        case .stopped:
            try await Task.sleep(for: .milliseconds(300))
            let pid = pid_t(
                (Self.read("\(old.dataPath)/postmaster.pid") ?? "").prefix { $0.isNumber })
            if let pid { kill(pid, SIGINT) }
            try await Task.sleep(for: .milliseconds(300))
        }
        old.kill()
    }

    /// From here on no commit is acknowledged that the standby has not written to its disk.
    private func requireStandby() async throws {
        let primary = primary
        try await primary.psql(
            "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
        let isSynchronous = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        let end = ContinuousClock.now + .seconds(30)
        while try await primary.psql(isSynchronous) != "1" {
            guard ContinuousClock.now < end else {
                throw ProcessFailure(what: "the standby did not follow")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func configuration(_ folder: String) -> EmbeddedPostgresConfiguration {
        var configuration = EmbeddedPostgresConfiguration(
            folder: folder, profile: .tests, isTemporary: true)
        configuration.settings = ["max_wal_size": "256MB", "wal_keep_size": "64MB"]
        return configuration
    }

    private static func socket(_ server: EmbeddedPostgres) -> Substring {
        server.conninfo.split(separator: "'")[1]
    }

    private static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        return fgets(&line, 64, file) == nil
            ? nil : String(decoding: line.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
    }
}
