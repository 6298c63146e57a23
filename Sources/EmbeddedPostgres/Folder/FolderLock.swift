import TenureSystem

/// The right to run a server in a folder, held by one owner at a time.
///
/// A `flock`, so that the kernel gives it back when its owner dies, however it dies. A second
/// owner, in this process or another, is refused: sharing would leave open who stops the server.
final class FolderLock: Sendable {
    private let descriptor: Int32

    init(path: String, user: ServerUser?) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw EmbeddedPostgresError(system: "opening", path, errno: errno)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = Self.refusal(path, descriptor)
            close(descriptor)
            throw error
        }
        if let user { fchown(descriptor, user.uid, user.gid) }
        let owner = "\(getpid())\n"
        ftruncate(descriptor, 0)
        pwrite(descriptor, owner, owner.utf8.count, 0)
        self.descriptor = descriptor
    }

    deinit {
        // Closing isn't enough: a child process that is just being made has a copy for a moment.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func refusal(_ path: String, _ descriptor: Int32) -> EmbeddedPostgresError {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = max(0, pread(descriptor, &bytes, bytes.count, 0))
        let owner = String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)
        return EmbeddedPostgresError(
            .folderInUse,
            "\(path) is held by process \(owner): stop it, or choose another folder")
    }
}
