import Foundation
import TenureSystem

@testable import HTTPTransport

/// A proxy: tunnels by CONNECT, or forwards a whole request to wherever `forward` says. What it was
/// asked is written down.
final class ProxyServer: Sendable {
    /// Answers CONNECT requests of certain authorities instead of connecting.
    typealias Refuse = @Sendable (String) -> String?

    let requests = Lock<[String]>([])
    /// When a tunnel's client had closed it.
    let closed = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    private let server: Lock<TestServer?> = Lock(nil)

    init(
        forward: [String: Int] = [:], refuse: @escaping Refuse = { _ in nil }
    ) throws {
        let made = try TestServer { [requests, closed] peer in
            guard let request = peer.readRequest() else { return }
            requests.withLock { $0.append(request) }
            let words = request.split(separator: " ")
            guard words.count > 1 else { return }
            if let answer = refuse(String(words[1])) {
                peer.send(answer)
                _ = peer.waitForClose()
            } else if words[0] == "CONNECT" {
                Self.tunnel(peer, to: String(words[1]), forward)
                closed.continuation.yield(.now)
            } else {
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nforwarded")
            }
        }
        server.withLock { $0 = made }
    }

    var url: String { server.withLock { $0?.url ?? "" } }
    var connections: Int { server.withLock { $0?.connections ?? 0 } }

    /// `forward` is what the proxy's own resolver knows.
    private static func tunnel(_ peer: Peer, to authority: String, _ forward: [String: Int]) {
        let port = forward[authority] ?? Int(authority.split(separator: ":").last ?? "") ?? 0
        let target = System.streamSocket(AF_INET)
        defer { close(target) }
        var address = TestServer.loopback(port: port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(target, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            peer.send("HTTP/1.1 502 Bad Gateway\r\n\r\n")
            return
        }
        peer.send("HTTP/1.1 200 Established\r\nX-Proxy: mine\r\n\r\n")
        peer.relay(to: target)
    }
}

extension Peer {
    /// Both ways, until either side has closed.
    fileprivate func relay(to other: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var ends = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 2, 30_000) > 0 else { return }
            for (index, end) in ends.enumerated() where end.revents != 0 {
                let count = recv(end.fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                _ = System.send(ends[1 - index].fd, buffer, count)
            }
        }
    }
}
