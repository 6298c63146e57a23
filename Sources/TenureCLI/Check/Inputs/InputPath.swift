import Tenure
import TenureSystem

/// Files and folders that are named to be checked.
enum InputPath {
    enum Kind { case folder, file }

    /// Of a list, in bytes.
    static let mostBytes = 64 << 20

    /// - Returns: nil where nothing is.
    /// - Throws: `Failure` for what is there and can't be read, or is no file.
    static func kind(of path: String) throws -> Kind? {
        let shown = PlainText.line(String(path.prefix(200)))
        guard !path.utf8.contains(0) else { throw Failure("\(shown) has a NUL in it") }
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG { return nil }
            throw Failure("\(shown) can't be looked at: \(String(cString: strerror(errno)))")
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG else {
            throw Failure(
                "\(shown) is neither a file nor a folder; give what it has on standard input: "
                    + "tenure check -")
        }
        guard access(path, kind == S_IFDIR ? R_OK | X_OK : R_OK) == 0 else {
            throw Failure(
                "\(shown) can't be read: \(String(cString: strerror(errno))); give its reader "
                    + "the right")
        }
        return kind == S_IFDIR ? .folder : .file
    }

    /// Absolute, with symbolic links resolved.
    static func real(_ path: String) throws -> String {
        guard let real = realpath(path, nil) else {
            throw Failure("\(path) can't be looked at: \(String(cString: strerror(errno)))")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// The bytes of a list.
    /// - Parameter path: nil for standard input.
    static func read(_ path: String?, as name: String) throws -> [UInt8] {
        guard let path else { return try read(STDIN_FILENO, as: name) }
        guard let kind = try kind(of: path) else {
            throw Failure("\(name) isn't there; give a list, with a URL or a path on each line")
        }
        guard kind == .file else {
            throw Failure("\(name) is no file; give a list, with a URL or a path on each line")
        }
        // One that has become a pipe meanwhile is opened, and keeps nobody waiting.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw Failure("\(name) can't be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        return try read(descriptor, as: name)
    }

    private static func read(_ descriptor: Int32, as name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = TenureSystem.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Failure("\(name) can't be read: \(String(cString: strerror(errno)))")
            }
            bytes += chunk.prefix(count)
            guard bytes.count <= mostBytes else {
                throw Failure(
                    "\(name) is larger than \(mostBytes >> 20) MiB; give it in parts")
            }
        }
    }
}
