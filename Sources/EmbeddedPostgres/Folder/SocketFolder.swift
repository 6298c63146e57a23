import TenureSystem

/// The private folder of the server's socket. Who can enter it is who can connect.
struct SocketFolder: Sendable {
    let path: String
    /// Whether it lies outside the cluster's folder and is removed on its own.
    let isElsewhere: Bool

    init(in folder: ClusterFolder, port: Int) {
        let own = "\(folder.path)/run"
        isElsewhere = "\(own)/.s.PGSQL.\(port)".utf8.count > System.longestSocketPath
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        path = isElsewhere ? "/tmp/tenure-\(name)" : own
    }

    /// Makes the folder, empty: a crashed server leaves a lock file that names a process which
    /// may be another by now.
    func make(for user: ServerUser?, port: Int) throws {
        if mkdir(path, 0o700) != 0, errno != EEXIST || isElsewhere {
            throw EmbeddedPostgresError(system: "making the folder", path, errno: errno)
        }
        try ClusterFolder.makePrivate(path, for: user)
        empty(port: port)
    }

    /// After the server's end: the cluster's folder doesn't hold this one.
    func removeIfElsewhere(port: Int) {
        guard isElsewhere else { return }
        empty(port: port)
        rmdir(path)
    }

    private func empty(port: Int) {
        unlink("\(path)/.s.PGSQL.\(port).lock")
        unlink("\(path)/.s.PGSQL.\(port)")
    }
}
