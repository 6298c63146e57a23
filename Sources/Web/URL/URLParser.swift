/// ASCII tab or newline, which is removed wherever it stands.
private func isRemoved(_ byte: UInt8) -> Bool {
    byte == 0x09 || byte == 0x0A || byte == 0x0D
}

/// The URL standard's "basic URL parser", section 4.4.
///
/// The standard walks one character at a time through a score of states. As the first `#` ends
/// everything but the fragment, and the first `?` before it everything but the query, in every
/// state, both are cut off first; what remains of each state is one function on a slice.
struct URLParser {
    let body: ArraySlice<UInt8>
    let query: ArraySlice<UInt8>?
    let fragment: ArraySlice<UInt8>?
    private let base: URLRecord?
    private let isTooLong: Bool
    /// Of the document that the query is written in.
    var queryCharset = Charset.utf8
    var record = URLRecord()

    init(_ input: some BidirectionalCollection<UInt8>, base: URLRecord?) {
        self.base = base
        isTooLong = input.count > 1 << 28
        let start = input.firstIndex { $0 > 0x20 } ?? input.endIndex
        let end = input.lastIndex { $0 > 0x20 }.map(input.index(after:)) ?? input.endIndex
        var bytes = [UInt8](copying: input[start..<end])
        if bytes.contains(where: isRemoved) { bytes.removeAll(where: isRemoved) }
        let all = bytes[...]
        let hash = all.firstIndex(of: UInt8(ascii: "#"))
        let head = all[..<(hash ?? all.endIndex)]
        let mark = head.firstIndex(of: UInt8(ascii: "?"))
        body = head[..<(mark ?? head.endIndex)]
        query = mark.map { head[($0 + 1)...] }
        fragment = hash.map { all[($0 + 1)...] }
    }

    mutating func parse() throws(WebURLError) {
        if isTooLong { throw WebURLError(.tooLong) }
        if let colon = schemeEnd() {
            record.setScheme(body[..<colon].map(\.asciiLowercased))
            try afterScheme(body[(colon + 1)...])
        } else {
            try withoutScheme()
        }
        let querySet: PercentEncodeSet = record.special == nil ? .query : .specialQuery
        if let query {
            let isPlain = [nil, .ws, .wss].contains(record.special)
            let bytes = isPlain ? query : queryCharset.encodedQuery(query)[...]
            record.query = encoded(bytes, querySet)
        }
        if let fragment { record.fragment = encoded(fragment, .fragment) }
    }

    func encoded(_ bytes: ArraySlice<UInt8>, _ set: PercentEncodeSet) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        result.appendPercentEncoded(bytes, set)
        return result
    }

    private func schemeEnd() -> Int? {
        guard let first = body.first, first.isASCIIAlpha else { return nil }
        let end = body.firstIndex {
            !($0.isASCIIAlphanumeric || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: "."))
        }
        guard let end, body[end] == UInt8(ascii: ":") else { return nil }
        return end
    }

    func isSlash(_ byte: UInt8?) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") && record.special != nil
    }

    // MARK: Which kind of URL

    private mutating func afterScheme(_ rest: ArraySlice<UInt8>) throws(WebURLError) {
        if record.special == .file {
            try file(rest)
        } else if record.special != nil {
            if let base, base.scheme == record.scheme, !rest.starts(with: "//".utf8) {
                try relative(rest, to: base)
            } else {
                try authority(rest.drop { isSlash($0) })
            }
        } else if rest.starts(with: "//".utf8) {
            try authority(rest.dropFirst(2))
        } else if rest.first == UInt8(ascii: "/") {
            appendPath(rest.dropFirst())
        } else {
            opaquePath(rest)
        }
    }

    private mutating func withoutScheme() throws(WebURLError) {
        guard let base else { throw WebURLError(.relativeWithoutBase) }
        if base.hasOpaquePath {
            guard body.isEmpty, query == nil, fragment != nil else {
                throw WebURLError(.baseCannotResolve)
            }
            record = base
            return
        }
        record.scheme = base.scheme
        record.special = base.special
        if record.special == .file {
            try file(body)
        } else {
            try relative(body, to: base)
        }
    }

    /// "relative state" and "relative slash state".
    private mutating func relative(
        _ rest: ArraySlice<UInt8>, to base: URLRecord
    ) throws(WebURLError) {
        guard isSlash(rest.first) else {
            record.copyAuthority(of: base)
            inheritPath(rest, from: base)
            return
        }
        let next = rest.dropFirst()
        if isSlash(next.first) {
            try authority(record.special == nil ? next.dropFirst() : next.drop { isSlash($0) })
        } else {
            record.copyAuthority(of: base)
            appendPath(next)
        }
    }

    /// The base's path and query; a reference that is not empty replaces the last segment.
    private mutating func inheritPath(_ rest: ArraySlice<UInt8>, from base: URLRecord) {
        record.path = base.path
        if rest.isEmpty {
            record.query = base.query
        } else {
            record.shortenPath()
            appendPath(rest)
        }
    }

    // MARK: Files

    /// "file state" and "file slash state".
    private mutating func file(_ rest: ArraySlice<UInt8>) throws(WebURLError) {
        record.host = Host.empty
        let base = base?.special == .file ? base : nil
        if isSlash(rest.first) {
            let next = rest.dropFirst()
            if isSlash(next.first) { return try fileHost(next.dropFirst()) }
            if let base {
                record.host = base.host
                let drive = base.path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
                if !startsWithDriveLetter(next), isNormalizedDriveLetter(drive) {
                    record.path = [UInt8(ascii: "/")] + drive
                }
            }
            appendPath(next)
        } else if let base {
            record.host = base.host
            if startsWithDriveLetter(rest) {
                appendPath(rest)
            } else {
                inheritPath(rest, from: base)
            }
        } else {
            appendPath(rest)
        }
    }

    private mutating func fileHost(_ rest: ArraySlice<UInt8>) throws(WebURLError) {
        let end = rest.firstIndex { isSlash($0) } ?? rest.endIndex
        let name = rest[..<end]
        if isDriveLetter(name) { return appendPath(rest) }
        if !name.isEmpty {
            let host = try Host.parse(name, isSpecial: true)
            record.host = host.bytes.elementsEqual("localhost".utf8) ? Host.empty : host
        }
        pathStart(rest[end...])
    }

    private func startsWithDriveLetter(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard isDriveLetter(bytes.prefix(2)) else { return false }
        return bytes.count == 2 || isSlash(bytes[bytes.startIndex + 2])
    }

    // MARK: Authority

    private mutating func authority(_ rest: ArraySlice<UInt8>) throws(WebURLError) {
        let end = rest.firstIndex { isSlash($0) } ?? rest.endIndex
        var hostAndPort = rest[..<end]
        if let at = hostAndPort.lastIndex(of: UInt8(ascii: "@")) {
            credentials(hostAndPort[..<at])
            hostAndPort = hostAndPort[(at + 1)...]
            if hostAndPort.isEmpty { throw WebURLError(.hostMissing) }
        }
        try setHost(hostAndPort)
        pathStart(rest[end...])
    }

    private mutating func credentials(_ bytes: ArraySlice<UInt8>) {
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        record.username = encoded(bytes[..<(colon ?? bytes.endIndex)], .userinfo)
        if let colon { record.password = encoded(bytes[(colon + 1)...], .userinfo) }
    }

    private mutating func setHost(_ bytes: ArraySlice<UInt8>) throws(WebURLError) {
        let colon = URLParser.portSeparator(bytes)
        let name = bytes[..<(colon ?? bytes.endIndex)]
        if name.isEmpty, colon != nil || record.special != nil { throw WebURLError(.hostMissing) }
        record.host = try Host.parse(name, isSpecial: record.special != nil)
        guard let colon else { return }
        var port: UInt32 = 0
        for byte in bytes[(colon + 1)...] {
            guard byte.isASCIIDigit else { throw WebURLError(.portInvalid) }
            port = port * 10 + UInt32(byte - 0x30)
            if port > 65535 { throw WebURLError(.portInvalid) }
        }
        let isGiven = colon + 1 < bytes.endIndex && UInt16(port) != record.special?.defaultPort
        record.port = isGiven ? UInt16(port) : nil
    }

    static func portSeparator(_ bytes: ArraySlice<UInt8>) -> Int? {
        var isInBrackets = false
        for (index, byte) in zip(bytes.indices, bytes) {
            switch byte {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ":") where !isInBrackets: return index
            default: break
            }
        }
        return nil
    }
}
