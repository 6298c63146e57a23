import TenureSystem

/// A TCP client that does what no browser does. It waits a while and not for ever.
final class RawClient: Sendable {
    private let descriptor: Int32

    /// Nil when nobody listens.
    init?(_ port: Int, patience: Int = 20) {
        descriptor = System.streamSocket(AF_INET)
        var time = timeval(tv_sec: patience, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Whether all of it was taken.
    @discardableResult
    func send(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                System.send(descriptor, bytes.baseAddress, bytes.count)
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// No more will be sent; an answer may still come.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// All that comes until the other end hangs up, or patience is out.
    func receive() -> String {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count <= 0 { break }
            all += bytes[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    /// Whether the other end has hung up. What it said first is passed over.
    var isOver: Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN }
        }
    }

    /// The first line of the answer to one request, and how long it took.
    static func ask(
        _ port: Int, _ path: String, host: String = "127.0.0.1"
    ) -> (line: String, took: Duration) {
        let start = ContinuousClock.now
        let client = RawClient(port)
        client?.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        let answer = client?.receive() ?? "nobody listens"
        let line = answer.split(separator: "\r\n", omittingEmptySubsequences: false).first ?? ""
        return (String(line), ContinuousClock.now - start)
    }
}
