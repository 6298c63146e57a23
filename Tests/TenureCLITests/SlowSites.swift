import Foundation
import Synchronization
import TenureSystem

/// A web server on every loopback address, each a host of its own: it takes its time for each
/// page, and writes down when each request began and ended.
final class SlowSites: Sendable {
    struct Request: Sendable {
        let host: String
        let path: String
        /// By the clock that the database has, too.
        let date: Date
        let start: ContinuousClock.Instant
        let end: ContinuousClock.Instant
    }

    let port: Int
    private let descriptor: Int32
    private let log = Mutex<[Request]>([])
    private let delay: @Sendable (_ host: String) -> Duration
    var requests: [Request] { log.withLock { $0 } }

    init(delay: @escaping @Sendable (_ host: String) -> Duration) throws {
        self.delay = delay
        descriptor = System.streamSocket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = 0
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else { throw NeverHappened(what: "a port to listen on") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0, let self else { return }
                Thread.detachNewThread { self.serve(client) }
            }
        }
    }

    /// The thread that accepts ends with its socket.
    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    deinit { close(descriptor) }

    private func serve(_ client: Int32) {
        defer { close(client) }
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
            let count = read(client, &buffer, buffer.count)
            if count <= 0 { return }
            head += buffer[..<count]
        }
        let (date, start) = (Date.now, ContinuousClock.now)
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let path = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let host =
            lines.first { $0.lowercased().hasPrefix("host: ") }
            .map { $0.dropFirst(6).prefix { $0 != ":" } }.map(String.init) ?? ""
        if path != "/robots.txt" { usleep(UInt32(delay(host) / .microseconds(1))) }
        // Noted before the answer: whoever hears it may let the next one go.
        log.withLock {
            $0.append(
                Request(
                    host: host, path: path, date: date, start: start, end: ContinuousClock.now))
        }
        let isRobots = path == "/robots.txt"
        let body = isRobots ? "" : "<title>\(path)</title>"
        let answer = """
            HTTP/1.1 \(isRobots ? "404 Not Found" : "200 OK")\r\nContent-Type: text/html\r\n\
            Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)
            """
        _ = answer.utf8.withContiguousStorageIfAvailable {
            System.send(client, $0.baseAddress, $0.count)
        }
    }
}
