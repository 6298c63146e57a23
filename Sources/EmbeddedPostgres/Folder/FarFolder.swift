import TenureSystem

/// A folder that the server's user can't reach, such as one in root's home, becomes a link to one
/// that it can.
enum FarFolder {
    static let base = "/var/tmp"

    /// Puts a link at `path`, unless a good one is there already. A link whose target is gone (the
    /// system clears temporary folders) is made anew.
    static func link(_ path: String) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
                throw EmbeddedPostgresError(
                    .folderUnusable,
                    "PostgreSQL's user can't reach \(path): choose another folder, or remove it")
            }
            return
        }
        if lstat(path, &status) == 0 { unlink(path) }
        var template = Array("\(base)/tenure-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw EmbeddedPostgresError(system: "making a folder in", base, errno: errno)
        }
        guard symlink(template, path) == 0 || errno == EEXIST else {
            throw EmbeddedPostgresError(system: "linking", path, errno: errno)
        }
    }
}
