import TenureFoundation
import TenureSystem

/// One run of the server, from its start to its end.
struct Server {
    let process: SupervisedProcess
    private let folder: ClusterFolder

    /// Starts the server; it isn't ready yet. The caller holds the folder's lock, so a
    /// `postmaster.pid` that is there without a process is a crash's.
    init(
        _ installation: PostgresInstallation, in folder: ClusterFolder, settings: ServerSettings,
        environment: [String: String], temporary: String, sockets: String
    ) throws {
        self.folder = folder
        unlink("\(folder.data)/postmaster.pid")
        try settings.text.write(
            toFile: "\(folder.data)/postgresql.conf", atomically: false, encoding: .utf8)
        rename(folder.log, "\(folder.log).old")
        let log = open(folder.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard log >= 0 else {
            throw EmbeddedPostgresError(system: "opening", folder.log, errno: errno)
        }
        defer { close(log) }
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let command =
            (variables.isEmpty ? [] : ["/usr/bin/env"] + variables)
            + installation.program("postgres") + ["-D", folder.data]
        process = try SupervisedProcess(
            command.running(as: folder.user), output: log, temporary: temporary, sockets: sockets)
    }

    /// Returns when the server takes connections.
    func waitUntilReady(_ limit: Duration, _ cancellation: Cancellation) throws {
        let deadline = ContinuousClock.now + limit
        while !isReady {
            try cancellation.check()
            if process.waitForEnd(.milliseconds(5)) != nil {
                throw failure(.startFailed, "PostgreSQL in \(folder.path) did not start")
            }
            if ContinuousClock.now > deadline {
                throw failure(.startTimedOut, "PostgreSQL in \(folder.path) was not ready in time")
            }
        }
    }

    /// The eighth line of the pid file is the postmaster's state; a standby's has its own.
    private var isReady: Bool {
        let file = "\(folder.data)/postmaster.pid"
        // Reason for `try?`: the file comes a moment after the start.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count > 7 && (lines[7].hasPrefix("ready") || lines[7].hasPrefix("standby"))
    }

    private func failure(
        _ code: EmbeddedPostgresError.Code, _ text: String
    ) -> EmbeddedPostgresError {
        // Reason for `try?`: the log explains the failure; its absence must not hide it.
        let log = (try? String(contentsOfFile: folder.log, encoding: .utf8)) ?? ""
        let lines = log.split(separator: "\n")
        let reason = lines.last { $0.contains("FATAL:") } ?? log.lastLine
        return EmbeddedPostgresError(
            code, "\(text): \(reason)", output: lines.suffix(50).joined(separator: "\n"))
    }
}
