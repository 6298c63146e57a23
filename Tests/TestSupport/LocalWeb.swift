import Synchronization
import TenureFoundation
import TenureSystem

/// A real HTTP server on 127.0.0.1, of raw sockets: what each path answers can be changed while it
/// runs, and every request is remembered.
package final class LocalWeb: Sendable {
    package struct Answer: Sendable {
        package var status: Int
        package var headers: [String]
        package var body: [UInt8]
        /// Fewer bytes than promised, and then a closed connection.
        package var isCut: Bool
        /// Nothing at all, until the client has had enough.
        package var isSilent: Bool
        /// Waits until the test opens it.
        package var gate: Gate?

        package init(
            status: Int = 200, headers: [String] = ["Content-Type: text/html"], body: [UInt8] = [],
            isCut: Bool = false, isSilent: Bool = false
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.isCut = isCut
            self.isSilent = isSilent
        }

        package static func page(_ body: String, _ headers: String...) -> Answer {
            Answer(headers: ["Content-Type: text/html"] + headers, body: Array(body.utf8))
        }

        package static func status(_ status: Int, _ headers: String...) -> Answer {
            Answer(
                status: status, headers: ["Content-Type: text/plain"] + headers,
                body: Array("status".utf8))
        }

        package static func redirect(_ status: Int, _ location: String) -> Answer {
            Answer(status: status, headers: ["Location: \(location)"])
        }
    }

    package struct Request: Sendable {
        package let method: String
        package let path: String
        package let headers: [String]
        package let body: [UInt8]

        package subscript(name: String) -> String? {
            headers.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
                String($0.dropFirst(name.count + 1).drop { $0 == " " })
            }
        }
    }

    package let port: Int
    private let listener: Int32
    private let answers = Mutex<[String: @Sendable (Request) -> Answer]>([:])
    private let seen = Mutex<[Request]>([])

    package var url: String { "http://127.0.0.1:\(port)" }
    package var requests: [Request] { seen.withLock { $0 } }

    /// Answers a path without its query, or with `*` all others; what has no answer is 404.
    package func answer(_ path: String, _ answer: Answer) { self.answer(path) { _ in answer } }

    package func answer(_ path: String, _ answer: @escaping @Sendable (Request) -> Answer) {
        answers.withLock { $0[path] = answer }
    }

    package func requests(_ path: String) -> [Request] { requests.filter { $0.path == path } }

    package init() throws {
        let listener = System.streamSocket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw NoServer() }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        Self.thread { [weak self] in
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { return }
                Self.thread { [weak self] in
                    self?.serve(peer)
                    close(peer)
                }
            }
        }
    }

    package struct NoServer: Error {}

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ peer: Int32) {
        while let request = Self.read(peer) {
            seen.withLock { $0.append(request) }
            let path = String(request.path.prefix { $0 != "?" })
            let answer = answers.withLock { $0[path] ?? $0["*"] }?(request) ?? .status(404)
            answer.gate?.wait()
            if answer.isSilent {
                var byte: UInt8 = 0
                while recv(peer, &byte, 1, 0) > 0 {}
                return
            }
            let promised = answer.body.count + (answer.isCut ? 100 : 0)
            let head =
                ["HTTP/1.1 \(answer.status) X", "Content-Length: \(promised)"] + answer.headers
            let hasBody =
                answer.status != 304 && answer.status != 204 && request.method != "HEAD"
            Self.send(
                Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
                    + (hasBody ? answer.body : []), to: peer)
            if answer.isCut { return }
        }
    }

    private static func read(_ peer: Int32) -> Request? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard recv(peer, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
        let words = lines[0].split(separator: " ").map(String.init)
        let (method, path) = (words.first ?? "", words.dropFirst().first ?? "")
        let head = Request(
            method: method, path: path, headers: Array(lines.dropFirst()), body: [])
        var body: [UInt8] = []
        while body.count < Int(head["Content-Length"] ?? "") ?? 0 {
            guard recv(peer, &byte, 1, 0) == 1 else { return nil }
            body.append(byte)
        }
        return Request(method: method, path: path, headers: head.headers, body: body)
    }

    private static func send(_ bytes: [UInt8], to peer: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                System.send(peer, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        let hasStarted = System.startThread(body: body)
        precondition(hasStarted, "no thread left for a server")
    }
}

/// Holds an answer back until the test has done what it wants to do meanwhile.
package final class Gate: Sendable {
    private let state = Mutex((reached: false, isOpen: false))

    package init() {}

    package func open() { state.withLock { $0.isOpen = true } }

    /// On the server's thread.
    func wait() {
        state.withLock { $0.reached = true }
        while !state.withLock({ $0.isOpen }) { usleep(2000) }
    }

    /// Until somebody waits.
    package func reached() async throws {
        while !state.withLock({ $0.reached }) { try await Task.sleep(for: .milliseconds(5)) }
    }
}
