import Foundation
import Synchronization
import TenureSystem

/// A file whose bytes are known at every place and different in every mebibyte, so that a piece
/// that is missing, doubled or moved is seen.
public struct TestFile: Sendable {
    public var size: Int
    public var seed: Int

    public init(size: Int, seed: Int = 1) {
        self.size = size
        self.seed = seed
    }

    private static let block = 1 << 20
    private static let noise: [UInt8] = {
        var state: UInt64 = 1
        return (0..<block).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }()

    /// Each mebibyte is the same noise, turned by an amount of its own.
    public func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var place = range.lowerBound
        while place < range.upperBound {
            let turned = (place + (place / Self.block + seed) * 7919) % Self.block
            let untilTurn = Self.block - place % Self.block
            let count = min(range.upperBound - place, untilTurn, Self.block - turned)
            bytes += Self.noise[turned..<turned + count]
            place += count
        }
        return bytes
    }
}

/// A web server with one file, on 127.0.0.1, that behaves as badly as it is told to. It answers
/// nothing but the file: 404 to everything else.
public final class FileServer: Sendable {
    public struct Behaviour: Sendable {
        public enum Ranges: Sendable {
            case right
            /// The whole comes to every request.
            case ignored
            /// It says 206 and begins a byte too late.
            case shifted
            /// 206, with a total that is one too large.
            case otherTotal
            /// 416 to every range, with no word on how much there is.
            case refused
            /// At most so many bytes of what was asked for.
            case atMost(Int)
        }
        public var file: TestFile
        public var etag: String? = "\"one\""
        public var lastModified: String?
        public var ranges = Ranges.right
        /// Where it lets a connection go, in bytes of the body; nil: never.
        public var dropsAfter: Int?
        /// What Content-Length says more than there is.
        public var lie = 0
        /// Without Content-Length, in chunks.
        public var isChunked = false
        /// Between pieces of 64 KiB.
        public var pause: Duration = .zero
        /// It answers with this status, and with no body.
        public var missing: Int?
        /// What is left of a response is never sent, and its connection stays open.
        public var hangsAfter: Int?

        public init(file: TestFile) { self.file = file }
    }

    /// One request, as it came and went.
    public struct Request: Sendable {
        public var range: String?
        public var ifRange: String?
        public var ifNoneMatch: String?
        public var status: Int
        public var sent = 0
    }

    public let port: Int
    private let listener: Int32
    private let state: Mutex<Behaviour>
    private let log = Mutex<[Request]>([])
    private let hanging = Mutex(0)
    private let closes = Mutex<[ContinuousClock.Instant]>([])

    public var url: String { "http://127.0.0.1:\(port)/file.bin" }
    /// Of the file only.
    public var requests: [Request] { log.withLock { $0 } }
    /// How many peers were left hanging so far, and when each closed its connection.
    public var hangs: Int { hanging.withLock { $0 } }
    public var closedAt: [ContinuousClock.Instant] { closes.withLock { $0 } }

    public init(_ behaviour: Behaviour) throws {
        state = Mutex(behaviour)
        listener = System.streamSocket(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
                Thread.detachNewThread { [self] in
                    answer(descriptor)
                    TenureSystem.close(descriptor)
                }
            }
        }
    }

    public func change(_ body: (inout Behaviour) -> Void) { state.withLock { body(&$0) } }

    /// Ends its listening; the threads end with their connections.
    public func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    // MARK: One connection, one request

    private func answer(_ descriptor: Int32) {
        guard let head = readHead(descriptor) else { return }
        guard head.first?.contains("/file.bin") == true else {
            _ = send(descriptor, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n")
            _ = send(descriptor, "Connection: close\r\n\r\n")
            return
        }
        let behaviour = state.withLock { $0 }
        var request = Request(
            range: Self.field("range", of: head), ifRange: Self.field("if-range", of: head),
            ifNoneMatch: Self.field("if-none-match", of: head), status: 200)
        let plan = Plan(request, behaviour)
        request.status = plan.status
        let number = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        guard send(descriptor, plan.head(behaviour)) else { return }
        let sent = sendBody(descriptor, plan, behaviour)
        log.withLock { $0[number].sent = sent }
    }

    private func sendBody(_ descriptor: Int32, _ plan: Plan, _ behaviour: Behaviour) -> Int {
        var place = plan.body.lowerBound
        while place < plan.body.upperBound {
            let sent = place - plan.body.lowerBound
            var stop = min(place + 64 << 10, plan.body.upperBound)
            if let limit = behaviour.dropsAfter ?? behaviour.hangsAfter {
                if sent >= limit {
                    if behaviour.hangsAfter != nil { waitForClose(descriptor) }
                    return sent
                }
                stop = min(stop, plan.body.lowerBound + limit)
            }
            let bytes = behaviour.file.bytes(place..<stop)
            let isSent =
                behaviour.isChunked
                ? send(descriptor, "\(String(bytes.count, radix: 16))\r\n")
                    && send(descriptor, bytes) && send(descriptor, "\r\n")
                : send(descriptor, bytes)
            guard isSent else { return sent }
            place = stop
            if behaviour.pause > .zero {
                usleep(UInt32(behaviour.pause / .microseconds(1)))
            }
        }
        if behaviour.isChunked { _ = send(descriptor, "0\r\n\r\n") }
        return plan.body.count
    }

    private func waitForClose(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        hanging.withLock { $0 += 1 }
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
        closes.withLock { $0.append(.now) }
    }

    private func readHead(_ descriptor: Int32) -> [String]? {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !text.contains("\r\n\r\n") {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text.components(separatedBy: "\r\n")
    }

    private static func field(_ name: String, of head: [String]) -> String? {
        head.first { $0.lowercased().hasPrefix(name + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    private func send(_ descriptor: Int32, _ text: String) -> Bool {
        send(descriptor, Array(text.utf8))
    }

    private func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
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
}

/// What is sent to a request.
private struct Plan {
    var status = 200
    var body: Range<Int>
    private var range: String?

    init(_ request: FileServer.Request, _ behaviour: FileServer.Behaviour) {
        let size = behaviour.file.size
        body = 0..<size
        if let missing = behaviour.missing {
            (status, body) = (missing, 0..<0)
            return
        }
        if let tag = request.ifNoneMatch, tag == behaviour.etag {
            (status, body) = (304, 0..<0)
            return
        }
        guard let asked = request.range, let start = Self.start(asked),
            request.ifRange == nil || request.ifRange == behaviour.etag
                || request.ifRange == behaviour.lastModified
        else { return }
        let isOutside = start >= size
        switch behaviour.ranges {
        case .ignored: return
        case .refused: (status, body) = (416, 0..<0)
        case _ where isOutside: (status, body, range) = (416, 0..<0, "*/\(size)")
        case .right: part(start..<size, of: size)
        case .shifted: part(start + 1..<size, of: size)
        case .otherTotal: part(start..<size, of: size + 1)
        case .atMost(let most): part(start..<min(size, start + most), of: size)
        }
    }

    private mutating func part(_ bytes: Range<Int>, of total: Int) {
        (status, body) = (206, bytes)
        range = "\(bytes.lowerBound)-\(bytes.upperBound - 1)/\(total)"
    }

    private static func start(_ range: String) -> Int? {
        guard range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
    }

    func head(_ behaviour: FileServer.Behaviour) -> String {
        var lines = ["HTTP/1.1 \(status) So", "Connection: close"]
        lines.append("Content-Type: application/octet-stream")
        if let etag = behaviour.etag { lines.append("ETag: \(etag)") }
        if let date = behaviour.lastModified {
            lines += ["Last-Modified: \(date)", "Date: Sat, 21 Nov 2026 12:00:00 GMT"]
        }
        if let range { lines.append("Content-Range: bytes \(range)") }
        if behaviour.isChunked, status == 200 || status == 206 {
            lines.append("Transfer-Encoding: chunked")
        } else {
            lines.append("Content-Length: \(body.count + (status < 300 ? behaviour.lie : 0))")
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
