import TenureSystem

/// The user that PostgreSQL runs as when its owner is root, which PostgreSQL refuses to be.
struct ServerUser: Sendable, Equatable {
    let uid: uid_t
    let gid: gid_t

    /// `nil` when the owner isn't root: then the server runs as its owner.
    ///
    /// A folder that already belongs to somebody keeps its owner: it may have been made without
    /// root. A new one goes to `postgres`, or else to `nobody`.
    static func choose(forFolder folder: String) throws -> ServerUser? {
        guard geteuid() == 0 else { return nil }
        var status = stat()
        if stat(folder, &status) == 0, status.st_uid != 0 {
            return ServerUser(uid: status.st_uid, gid: status.st_gid)
        }
        guard let user = named("postgres") ?? named("nobody") else {
            throw EmbeddedPostgresError(
                .folderUnusable,
                "PostgreSQL does not run as root: add a user named postgres (useradd postgres)")
        }
        return user
    }

    static func named(_ name: String) -> ServerUser? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
            return nil
        }
        return ServerUser(uid: entry.pw_uid, gid: entry.pw_gid)
    }
}

extension [String] {
    /// The command run as `user`. It gets a SIGINT should its supervisor be killed.
    func running(as user: ServerUser?) -> [String] {
        guard access(setpriv, X_OK) == 0 || user != nil else { return self }
        var prefix = [setpriv, "--pdeathsig=INT"]
        if let user {
            prefix += ["--reuid=\(user.uid)", "--regid=\(user.gid)", "--clear-groups"]
        }
        return prefix + ["--"] + self
    }
}

/// From util-linux; it changes the user and then becomes the command.
private let setpriv = "/usr/bin/setpriv"
