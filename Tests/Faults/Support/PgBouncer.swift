import TenureSystem

/// PgBouncer in front of a server's socket, on a socket of its own. It ends with us.
///
/// It is started again when it dies, as a service manager does: 1.18 to 1.24 end with a FATAL error
/// when a process is killed while its request to cancel a statement is on its way (issue 801).
package final class PgBouncer: Sendable {
    package enum Mode: String, Sendable { case transaction, session }

    private static let program = "/usr/sbin/pgbouncer"
    private static let port = 6432

    package let folder: String
    private let process: ChildProcess

    /// Where the program is installed.
    package static var isInstalled: Bool { access(program, X_OK) == 0 }

    /// - Parameter sockets: the folder of the server's socket.
    package init(to sockets: String, mode: Mode = .transaction) async throws {
        folder = try Self.makeFolder()
        try Self.settings(sockets, mode, folder).write(to: "\(folder)/pgbouncer.ini")
        // The shell waits for the end of its input, which comes with our own at the latest, and
        // then leaves nothing behind. A thread that blocks signals hands that down, so it takes one
        // that can't be blocked.
        let again = #"'while :; do "$@"; sleep 0.2; done' again"#
        let end = #"read -r end; kill -KILL -- -$!; rm -r -- "$0""#
        process = try ChildProcess(
            ["/bin/bash", "-c", #"setsid /bin/bash -c \#(again) "$@" & \#(end)"#, folder]
                + Self.asServerUser + [Self.program, "-q", "\(folder)/pgbouncer.ini"])
        let limit = ContinuousClock.now + .seconds(20)
        // The file is there a moment before anybody listens.
        while !isListening {
            guard ContinuousClock.now < limit else {
                throw ProcessFailure(what: "PgBouncer in \(folder) did not start")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private var isListening: Bool {
        guard let descriptor = Sockets.connect(to: socketFile) else { return false }
        close(descriptor)
        return true
    }

    deinit { stop() }

    package func stop() { process.tell("end") }

    package var socketFile: String { "\(folder)/.s.PGSQL.\(Self.port)" }

    package func conninfo(database: String = "tenure") -> String {
        "host='\(folder)' port=\(Self.port) user=tenure dbname=\(database)"
    }

    private static func settings(_ sockets: String, _ mode: Mode, _ folder: String) -> String {
        """
        [databases]
        * = host=\(sockets) port=5432 user=tenure
        [pgbouncer]
        unix_socket_dir = \(folder)
        unix_socket_mode = 0777
        listen_port = \(port)
        auth_type = any
        pool_mode = \(mode.rawValue)
        max_client_conn = 2000
        default_pool_size = 20
        server_idle_timeout = 20
        server_login_retry = 1
        logfile = \(folder)/pgbouncer.log

        """
    }

    /// It doesn't run as root either, and only the server's user may enter the socket's folder.
    private static var asServerUser: [String] {
        guard geteuid() == 0 else { return [] }
        return [
            "/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--",
        ]
    }

    private static func makeFolder() throws -> String {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/tenure-pgb-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ProcessFailure(what: "mkdtemp", errno: errno)
        }
        let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        if geteuid() == 0, let user = getpwnam("postgres") {
            chown(path, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        chmod(path, 0o755)
        return path
    }
}

extension String {
    fileprivate func write(to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ProcessFailure(what: path, errno: errno) }
        defer { close(file) }
        _ = TenureSystem.write(file, self, utf8.count)
    }
}
