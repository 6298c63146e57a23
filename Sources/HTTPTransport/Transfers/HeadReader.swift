/// The head of a response: what comes before its body.
struct ResponseHead: Sendable, Hashable {
    var status: Int
    var version: HTTPVersion
    var headers: HTTPHeaders

    var mayHaveBody: Bool { status != 204 && status != 304 }

    /// The encodings that are wrapped around the body, in the order in which they were applied.
    /// Where one is none that is known (`utf-8`, `none`), the body comes as it is: so browsers do.
    var codings: [String] {
        let names = headers.list("Content-Encoding").filter { $0.lowercased() != "identity" }
        return names.allSatisfy { ContentCoding(name: $0) != nil } ? names : []
    }

    /// Encodings of the message itself. None is ever asked for.
    var transferCodings: [String] {
        headers.list("Transfer-Encoding").filter {
            !["identity", "chunked"].contains($0.lowercased())
        }
    }

    var contentLength: Int? { headers["Content-Length"].flatMap { Int($0) } }
}

/// A head, and who sent it.
struct ArrivedHead: Sendable {
    var head: ResponseHead
    var remoteAddress: IPAddress?
}

/// Puts a head together from header lines: interim responses (1xx) are passed over, folded lines
/// unfolded, trailers ignored. All of them count.
struct HeadReader {
    enum Event: Hashable {
        case more
        case complete
        case tooLarge
        case malformed
    }

    let maxBytes: Int
    private(set) var bytes = 0
    private(set) var head: ResponseHead?
    private(set) var isComplete = false

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    mutating func read(_ line: UnsafeRawBufferPointer) -> Event {
        bytes += line.count
        guard bytes <= maxBytes else { return .tooLarge }
        guard !isComplete else { return .more }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            head = Self.statusLine(text)
            return head == nil ? .malformed : .more
        }
        guard let status = head?.status else { return .malformed }
        if text.allSatisfy(\.isNewline) {
            isComplete = status >= 200
            return isComplete ? .complete : .more
        }
        head?.headers.addLine(text)
        return .more
    }

    private static func statusLine(_ text: String) -> ResponseHead? {
        let parts = text.dropFirst(5).split(
            maxSplits: 2, whereSeparator: { $0 == " " || $0.isNewline })
        guard parts.count >= 2, let status = Int(parts[1]), (100...999).contains(status),
            let version = HTTPVersion(rawValue: String(parts[0]))
        else { return nil }
        return ResponseHead(status: status, version: version, headers: [:])
    }
}

extension HTTPHeaders {
    /// Adds a field as it stands on its line; a line that begins with a space continues the last.
    fileprivate mutating func addLine(_ line: String) {
        if let first = line.utf8.first, first == 0x20 || first == 0x09 {
            continueLast(String(line.trimmingASCIISpaces()))
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[colon...].dropFirst().trimmingASCIISpaces()
            add(String(line[..<colon].trimmingASCIISpaces()), String(value))
        }
    }
}
