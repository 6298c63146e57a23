import Foundation
import TenureSystem

@testable import HTTPTransport

/// A listener on every address of this machine, IPv4 and IPv6, that nobody should ever reach.
final class Trap: Sendable {
    let port: Int
    private let listener: Int32

    init() throws {
        let listener = System.streamSocket(AF_INET6)
        _ = fcntl(listener, F_SETFL, O_NONBLOCK)
        var no: Int32 = 0
        setsockopt(listener, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, 4)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin6_port))
    }

    deinit {
        close(listener)
    }

    /// How many connections have arrived since the last time: the kernel completes them by itself.
    func caught() -> Int {
        var count = 0
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { return count }
            close(descriptor)
            count += 1
        }
    }
}
