import TenureSystem

/// Takes connections and says nothing.
final class SilentServer: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        descriptor = System.streamSocket(AF_INET)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw NeverHappened(what: "a port to listen on") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(descriptor) }

    /// Whether somebody has connected; the connection stays open.
    func hasClient() -> Bool { accept(descriptor, nil, nil) >= 0 }
}
