import Foundation
import TenureSystem
import Testing

/// A listener whose queue is full: whoever connects waits.
final class FullListener {
    let port: Int
    private let listener: Int32
    private var fillers: [Int32] = []

    init() throws {
        (listener, port) = try TestServer.listen(0)
        for _ in 0..<2 {
            let filler = System.streamSocket(AF_INET)
            _ = fcntl(filler, F_SETFL, O_NONBLOCK)
            var address = TestServer.loopback(port: port)
            withUnsafePointer(to: &address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            fillers.append(filler)
        }
        fillers.removeAll { descriptor in
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&state, 1, 50) == 0 else { return false }
            close(descriptor)
            return true
        }
    }

    deinit {
        for descriptor in fillers + [listener] { close(descriptor) }
    }

    func waitForPendingConnects(_ count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(5)
        while pendingConnects != count {
            try #require(ContinuousClock.now < deadline)
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// Sockets that have asked for a connection and got no answer, as the kernel lists them.
    var pendingConnects: Int {
        let synSent = "02"
        let remote = "0100007F:" + String(format: "%04X", port)
        let file = FileHandle(forReadingAtPath: "/proc/net/tcp")
        let table = String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self)
        return table.split(separator: "\n").filter { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2] == remote && columns[3] == synSent
        }.count
    }
}
