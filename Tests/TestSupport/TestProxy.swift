import Synchronization
import TenureSystem

/// A TCP proxy in front of the test database that fails on demand.
///
/// Threads and blocking sockets: it must go on working whatever the tests do to the pools.
package final class TestProxy: Sendable {
    package enum Fault: Sendable {
        /// Forwards what holds the text, then cuts the client off.
        case cutAfter(String)
        /// Cuts the client off in place of forwarding what holds the text.
        case cutBefore(String)
        /// Keeps everything open and forwards nothing.
        case freeze
        /// Keeps from the client that the server has hung up.
        case holdEnds
    }

    package let port: UInt16
    private let listener: Int32
    private let target: String
    private let fault = Mutex<(now: Fault?, isOnce: Bool)>((nil, false))
    private let clients = Mutex<[Int32]>([])

    /// - Parameter target: the server's socket file.
    package init(to target: String) throws {
        self.target = target
        let listener = System.streamSocket(AF_INET)
        var address = Self.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size) | TenureSystem.listen(listener, 16)
                    | getsockname(listener, pointer, &size)
            }
        }
        guard status == 0 else { throw CannotListen() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Self.thread { [self] in accept() }
    }

    /// - Parameter once: the first client that it cuts off is the last.
    package func set(_ fault: Fault?, once: Bool = false) {
        self.fault.withLock { $0 = (fault, once) }
    }

    private var now: Fault? { fault.withLock { $0.now } }

    /// What is to be done with what a client has sent.
    private func fault(for text: String) -> Fault? {
        fault.withLock { fault in
            let now = fault.now
            switch now {
            case .cutAfter(let mark), .cutBefore(let mark):
                guard text.contains(mark) else { return nil }
                if fault.isOnce { fault.now = nil }
            case .freeze, .holdEnds, nil: break
            }
            return now
        }
    }

    private struct CannotListen: Error {}

    /// Cuts all clients off and takes no more.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        for client in clients.withLock({ $0 }) { shutdown(client, Int32(SHUT_RDWR)) }
    }

    private func accept() {
        while true {
            let client = TenureSystem.accept(listener, nil, nil)
            if client < 0 { return }
            let server = System.streamSocket(AF_UNIX)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: target.utf8) }
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            clients.withLock { $0.append(client) }
            Self.thread { [self] in forward(client, server, watching: true) }
            Self.thread { [self] in forward(server, client, watching: false) }
        }
    }

    private func forward(_ source: Int32, _ sink: Int32, watching: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count <= 0 { break }
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            switch watching ? fault(for: text) : now {
            case .freeze:
                while case .freeze = now { usleep(5_000) }
            case .cutAfter where watching:
                // The client is gone before the answer can reach it.
                shutdown(source, Int32(SHUT_RDWR))
                _ = System.send(sink, buffer, count)
                usleep(300_000)
                shutdown(sink, Int32(SHUT_RDWR))
                return
            case .cutBefore where watching:
                shutdown(source, Int32(SHUT_RDWR))
                shutdown(sink, Int32(SHUT_RDWR))
                return
            case .holdEnds, .cutAfter, .cutBefore, nil: break
            }
            if System.send(sink, buffer, count) < count { break }
        }
        while !watching, case .holdEnds = now { usleep(5_000) }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        let hasStarted = System.startThread(body: body)
        precondition(hasStarted, "no thread left for a proxy")
    }
}
