import TenureFoundation
import TenureSystem

/// The folder of one private PostgreSQL:
///
///     data/        the cluster
///     data.new.…/  a cluster in the making; becomes data/ by a rename, so it is whole or not there
///     run/         the socket, unless its path would be too long
///     server.log   what the server wrote since its last start; server.log.old before that
///     lock         see FolderLock
///     password     for the loopback port
struct ClusterFolder: Sendable {
    let path: String
    let user: ServerUser?

    var data: String { "\(path)/data" }
    var log: String { "\(path)/server.log" }
    var lock: String { "\(path)/lock" }
    var password: String { "\(path)/password" }

    /// The major version that made the cluster; `nil` before the first start.
    var clusterMajor: Int? {
        // Reason for `try?`: the file's absence is the answer.
        (try? String(contentsOfFile: "\(data)/PG_VERSION", encoding: .utf8))
            .flatMap { Int($0.prefix { $0.isNumber }) }
    }

    /// Clusters whose making was interrupted, or goes on.
    var unfinished: [String] {
        // Reason for `try?`: a folder that can't be listed fails with a better error elsewhere.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix("data.new.") }.map { "\(path)/\($0)" }
    }

    /// Makes the folder, private to the server's user, or opens it.
    static func open(_ requested: String) throws -> ClusterFolder {
        let absolute = requested.hasPrefix("/") ? requested : "\(currentFolder())/\(requested)"
        let parent = absolute.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        try makeFolder(parent.isEmpty ? "/" : parent, mode: 0o755)
        let user = try ServerUser.choose(forFolder: absolute)
        if let user, try !user.canReach(parent) {
            try FarFolder.link(absolute)
        }
        try makeFolder(absolute, mode: 0o700)
        guard let resolved = realpath(absolute, nil) else {
            throw EmbeddedPostgresError(system: "opening", absolute, errno: errno)
        }
        defer { free(resolved) }
        let folder = ClusterFolder(path: String(cString: resolved), user: user)
        try makePrivate(folder.path, for: user)
        return folder
    }

    static func makePrivate(_ path: String, for user: ServerUser?) throws {
        if let user, chown(path, user.uid, user.gid) != 0 {
            throw EmbeddedPostgresError(system: "chown", path, errno: errno)
        }
        guard chmod(path, 0o700) == 0 else {
            throw EmbeddedPostgresError(
                .folderUnusable,
                "\(path) belongs to another user: choose another folder, or remove it")
        }
    }

    static func makeFolder(_ path: String, mode: mode_t) throws {
        if mkdir(path, mode) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw EmbeddedPostgresError(system: "making the folder", path, errno: errno)
        }
        try makeFolder(String(path[..<slash]), mode: 0o755)
        guard mkdir(path, mode) == 0 || errno == EEXIST else {
            throw EmbeddedPostgresError(system: "making the folder", path, errno: errno)
        }
    }

    private static func currentFolder() -> String {
        FileManager.default.currentDirectoryPath
    }
}

extension ServerUser {
    /// Whether the user may pass through all the folders on the way to `path`.
    func canReach(_ path: String) throws -> Bool {
        let probe = ["/bin/sh", "-c", "cd -- \"$1\"", "sh", path.isEmpty ? "/" : path]
        return try Command.run(probe.running(as: self)).succeeded
    }
}
