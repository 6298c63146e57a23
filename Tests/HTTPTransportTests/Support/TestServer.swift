import Foundation
import TenureSystem

@testable import HTTPTransport

/// A server of raw sockets on 127.0.0.1: what it says, and when, is up to each test.
final class TestServer: Sendable {
    let port: Int
    private let listener: Int32
    private let accepted = Lock(0)

    var connections: Int { accepted.withLock { $0 } }
    let address: String
    var url: String { "http://\(address):\(port)" }

    /// `handle` runs on a thread of its own for every connection, which closes after it.
    init(
        on address: String = "127.0.0.1", backlog: Int32 = 128,
        _ handle: @escaping @Sendable (Peer) -> Void
    ) throws {
        self.address = address
        (listener, port) = try Self.listen(backlog, on: address)
        guard backlog > 0 else { return }
        HelperThread.start { [listener, accepted] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                accepted.withLock { $0 += 1 }
                HelperThread.start {
                    let peer = Peer(descriptor)
                    handle(peer)
                    close(descriptor)
                }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Answers every request of a connection with the same bytes.
    convenience init(
        on address: String = "127.0.0.1", answer: String, body: [UInt8] = []
    ) throws {
        try self.init(on: address) { peer in
            while peer.readRequest() != nil { peer.send(Array(answer.utf8) + body) }
        }
    }

    static func listen(
        _ backlog: Int32, on text: String = "127.0.0.1"
    ) throws -> (Int32, Int) {
        let listener = System.streamSocket(AF_INET)
        var address = loopback(port: 0)
        inet_pton(AF_INET, text, &address.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && TenureSystem.listen(listener, backlog) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// One connection, seen from the server.
final class Peer {
    let descriptor: Int32
    private var pending = ""

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// The next request's head; nil if there is none any more.
    func readRequest() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = pending.range(of: "\r\n\r\n") {
                defer { pending = String(pending[end.upperBound...]) }
                return String(pending[..<end.upperBound])
            }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            pending += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                System.send(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Waits until the other side has closed; what it still sends is thrown away.
    func waitForClose() -> ContinuousClock.Instant {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        return .now
    }

    /// Closes with a reset.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger,
            socklen_t(MemoryLayout.size(ofValue: linger)))
    }
}

/// Blocks the server's thread.
func nap(milliseconds: Int) {
    usleep(UInt32(milliseconds * 1000))
}
