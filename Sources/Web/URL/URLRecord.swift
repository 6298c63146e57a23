/// What the parser fills: the standard's "URL record", in bytes.
///
/// A path that isn't opaque is kept as it will be written, each segment with its slash before
/// it: to shorten it is to cut at the last slash.
struct URLRecord {
    var scheme: [UInt8] = []
    var special: SpecialScheme?
    var username: [UInt8] = []
    var password: [UInt8] = []
    var host = Host.none
    var port: UInt16?
    var path: [UInt8] = []
    var hasOpaquePath = false
    var query: [UInt8]?
    var fragment: [UInt8]?

    init() {}

    /// The record that `url` was written from, without its fragment.
    init(_ url: WebURL) {
        let layout = url.layout
        func bytes(_ start: UInt32, _ end: UInt32) -> [UInt8] {
            start == end ? [] : Array(copying: url.slice(start, end))
        }
        setScheme(bytes(0, layout.schemeEnd))
        username = bytes(layout.usernameStart, layout.usernameEnd)
        password = bytes(layout.passwordStart, layout.passwordEnd)
        host = Host(kind: layout.hostKind, bytes: bytes(layout.hostStart, layout.hostEnd))
        port = layout.port
        path = bytes(layout.pathStart, layout.pathEnd)
        hasOpaquePath = layout.hasOpaquePath
        if layout.queryStart != WebURL.Layout.none {
            query = bytes(layout.queryStart, layout.queryEnd)
        }
    }

    mutating func setScheme(_ bytes: [UInt8]) {
        scheme = bytes
        special = SpecialScheme(bytes)
    }

    mutating func copyAuthority(of other: URLRecord) {
        username = other.username
        password = other.password
        host = other.host
        port = other.port
    }

    /// Removes the last segment, but not the drive letter of a file URL.
    mutating func shortenPath() {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return }
        if special == .file, slash == 0, isNormalizedDriveLetter(path.dropFirst()) { return }
        path.removeSubrange(slash...)
    }

    func serialized() -> WebURL {
        var layout = WebURL.Layout()
        var out: [UInt8] = []
        out.reserveCapacity(scheme.count + host.bytes.count + path.count + 32)
        out += scheme
        layout.schemeEnd = out.mark
        out.append(UInt8(ascii: ":"))
        writeAuthority(&out, &layout)
        layout.pathStart = out.mark
        out += path
        layout.pathEnd = out.mark
        layout.hasOpaquePath = hasOpaquePath
        if let query {
            out.append(UInt8(ascii: "?"))
            layout.queryStart = out.mark
            out += query
            layout.queryEnd = out.mark
        }
        if let fragment {
            out.append(UInt8(ascii: "#"))
            layout.fragmentStart = out.mark
            out += fragment
        }
        return WebURL(href: String(decoding: out, as: UTF8.self), layout: layout)
    }

    private func writeAuthority(_ out: inout [UInt8], _ layout: inout WebURL.Layout) {
        if host.kind != .none { out += "//".utf8 }
        layout.usernameStart = out.mark
        out += username
        layout.usernameEnd = out.mark
        if !password.isEmpty { out.append(UInt8(ascii: ":")) }
        layout.passwordStart = out.mark
        out += password
        layout.passwordEnd = out.mark
        if !(username.isEmpty && password.isEmpty) { out.append(UInt8(ascii: "@")) }
        layout.hostStart = out.mark
        layout.hostKind = host.kind
        out += host.bytes
        layout.hostEnd = out.mark
        layout.port = port
        if let port {
            out.append(UInt8(ascii: ":"))
            out += String(port).utf8
        }
        // Without a host, a path that begins with two slashes would be read as an authority.
        if host.kind == .none, !hasOpaquePath, path.starts(with: "//".utf8) { out += "/.".utf8 }
    }
}

extension [UInt8] {
    fileprivate var mark: UInt32 { UInt32(count) }
}

/// Two bytes, an ASCII letter and a colon.
func isNormalizedDriveLetter(_ bytes: ArraySlice<UInt8>) -> Bool {
    isDriveLetter(bytes) && bytes.last == UInt8(ascii: ":")
}

/// Two bytes, an ASCII letter and a colon or a vertical bar.
func isDriveLetter(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == 2 && bytes.first!.isASCIIAlpha
        && (bytes.last == UInt8(ascii: ":") || bytes.last == UInt8(ascii: "|"))
}
