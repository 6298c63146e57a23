import Glibc
import Synchronization

/// Stands between a client and PostgreSQL on unix sockets, and can be cut: bytes stop passing,
/// and no one is told, as with a cable.
final class SocketProxy: Sendable {
    let folder: String
    private let target: String
    private let listener: Int32
    private let isCut = Mutex(false)

    /// - Parameter target: the server's socket file.
    init(to target: String) throws {
        self.target = target
        var template = Array("/tmp/tenure-proxy-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw ProcessFailure(what: "mkdtemp", errno: errno)
        }
        folder = String(cString: made)
        listener = try Self.listen(at: "\(folder)/.s.PGSQL.5432")
        runThread { [self] in accept() }
    }

    func cut() { isCut.withLock { $0 = true } }
    func mend() { isCut.withLock { $0 = false } }

    private static func listen(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = withAddress(path) { bind(descriptor, $0, $1) }
        guard bound == 0, Glibc.listen(descriptor, 64) == 0 else {
            throw ProcessFailure(what: "listen at \(path)", errno: errno)
        }
        return descriptor
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
                close(client)
                close(server)
                continue
            }
            runThread { [self] in pass(client, server) }
            runThread { [self] in pass(server, client) }
        }
    }

    private func pass(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count <= 0 { break }
            // While cut, bytes wait in here: the peer sees silence.
            while isCut.withLock({ $0 }) { usleep(5000) }
            // A peer that is gone is no reason to die of SIGPIPE.
            guard send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }
}
