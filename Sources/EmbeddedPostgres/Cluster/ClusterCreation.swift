import TenureSystem

/// Makes the cluster with its database, whole or not at all.
struct ClusterCreation {
    private let folder: ClusterFolder
    private let installation: PostgresInstallation
    private let isTemporary: Bool
    private let cancellation: Cancellation
    /// A new name each time: the `initdb` of a killed owner may still be removing its own.
    private let unfinished: String

    static let database = "tenure"
    static let user = "tenure"

    init(
        in folder: ClusterFolder, _ installation: PostgresInstallation, isTemporary: Bool,
        _ cancellation: Cancellation
    ) {
        self.folder = folder
        self.installation = installation
        self.isTemporary = isTemporary
        self.cancellation = cancellation
        unfinished = "\(folder.path)/data.new.\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    func run() throws {
        // What can't be removed, because it is just being removed, hinders nothing.
        if !folder.unfinished.isEmpty {
            _ = try Command.run(["/bin/rm", "-rf", "--"] + folder.unfinished)
        }
        try writePassword()
        try step(installation.program("initdb") + initdbOptions)
        // The statement comes on standard input; nobody can connect before the rename.
        try step(
            ["/bin/sh", "-c", "echo \"$0\" | \"$@\"", "CREATE DATABASE \(Self.database)"]
                + installation.program("postgres")
                + ["--single", "-D", unfinished, "postgres"])
        guard rename(unfinished, folder.data) == 0 else {
            throw EmbeddedPostgresError(system: "renaming", unfinished, errno: errno)
        }
    }

    /// Trust on the socket, which lies in a private folder; a password on the loopback port,
    /// which every local user can reach.
    private var initdbOptions: [String] {
        [
            "--pgdata=\(unfinished)", "--username=\(Self.user)",
            "--auth-local=trust", "--auth-host=scram-sha-256", "--pwfile=\(folder.password)",
            "--encoding=UTF8", "--data-checksums", "--no-instructions",
        ] + System.localeFlags + (isTemporary ? ["--no-sync"] : [])
    }

    private func writePassword() throws {
        let password = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
        let descriptor = open(folder.password, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EmbeddedPostgresError(system: "writing", folder.password, errno: errno)
        }
        defer { close(descriptor) }
        let text = password.joined() + "\n"
        write(descriptor, text, text.utf8.count)
        if let user = folder.user { fchown(descriptor, user.uid, user.gid) }
    }

    private func step(_ command: [String]) throws {
        let result = try Command.run(
            command.running(as: folder.user), temporary: isTemporary ? folder.path : "",
            cancellation: cancellation)
        guard result.succeeded else {
            throw EmbeddedPostgresError(
                .creationFailed,
                "making a cluster in \(folder.path) failed: \(result.output.lastLine)",
                output: result.output)
        }
    }
}

extension String {
    /// The last line that says something.
    var lastLine: Substring {
        split(separator: "\n").last ?? "no output"
    }
}
