/// The setters of the URL standard's API (section 6.1): a URL with one part changed, by the same
/// parser that reads whole ones.
extension WebURL {
    public enum Part: String, Sendable, CaseIterable {
        case scheme, username, password
        /// Host and port; a value without a port leaves the one that is there.
        case host
        case hostname, port, path, query, fragment
    }

    /// The URL with `part` set to `value`; unchanged where the standard would ignore the value,
    /// as it does when the part can't be set (a port on `mailto:`) or the value is no good.
    ///
    /// An empty query or fragment is removed. One leading `?` or `#` of it is left out.
    public func setting(_ part: Part, to value: String) -> WebURL {
        var setter = URLSetter(record: URLRecord(self))
        setter.record.fragment = fragment.map { Array($0.utf8) }
        setter.set(part, Array(value.utf8))
        return setter.record.serialized()
    }
}

/// The basic URL parser with a "state override".
private struct URLSetter {
    var record: URLRecord

    mutating func set(_ part: WebURL.Part, _ value: [UInt8]) {
        let stripped = value.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        switch part {
        case .scheme: setScheme(stripped)
        case .username: if canHavePort { record.username = encoded(value, .userinfo) }
        case .password: if canHavePort { record.password = encoded(value, .userinfo) }
        case .host: setHost(stripped[...], withPort: true)
        case .hostname: setHost(stripped[...], withPort: false)
        case .port:
            guard canHavePort else { return }
            if value.isEmpty { record.port = nil } else { setPort(stripped[...]) }
        case .path: setPath(stripped)
        case .query:
            let query = stripped.dropFirst(value.first == UInt8(ascii: "?") ? 1 : 0)
            let set: PercentEncodeSet = record.special == nil ? .query : .specialQuery
            record.query = value.isEmpty ? nil : encoded(query, set)
        case .fragment:
            let fragment = stripped.dropFirst(value.first == UInt8(ascii: "#") ? 1 : 0)
            record.fragment = value.isEmpty ? nil : encoded(fragment, .fragment)
        }
    }

    /// The opposite of "cannot have a username/password/port".
    private var canHavePort: Bool {
        record.host.kind != .none && record.host.kind != .empty && record.special != .file
    }

    private var hasCredentialsOrPort: Bool {
        !record.username.isEmpty || !record.password.isEmpty || record.port != nil
    }

    private func encoded(_ bytes: some Collection<UInt8>, _ set: PercentEncodeSet) -> [UInt8] {
        var result: [UInt8] = []
        result.appendPercentEncoded(bytes, set)
        return result
    }

    /// "Scheme state": a special scheme stays special, and the other way round.
    private mutating func setScheme(_ value: [UInt8]) {
        let name = value.prefix { $0 != UInt8(ascii: ":") }
        guard name.first?.isASCIIAlpha == true,
            name.allSatisfy({ $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) })
        else { return }
        let scheme = name.map(\.asciiLowercased)
        let special = SpecialScheme(scheme)
        guard (special == nil) == (record.special == nil) else { return }
        if special == .file, hasCredentialsOrPort { return }
        if record.special == .file, record.host.kind == .empty { return }
        record.setScheme(scheme)
        if record.port == special?.defaultPort { record.port = nil }
    }

    /// "Host state", "hostname state" and, for files, "file host state".
    private mutating func setHost(_ value: ArraySlice<UInt8>, withPort: Bool) {
        if record.hasOpaquePath { return }
        let rest = value.prefix { !endsAuthority($0) }
        let colon = record.special == .file ? nil : URLParser.portSeparator(rest)
        if colon != nil, !withPort { return }
        let name = rest[..<(colon ?? rest.endIndex)]
        if name.isEmpty, record.special != .file {
            if colon != nil || record.special != nil || hasCredentialsOrPort { return }
        }
        guard let host = host(name) else { return }
        record.host = host
        if let colon { setPort(value[(colon + 1)...]) }
    }

    private func host(_ name: ArraySlice<UInt8>) -> Host? {
        if name.isEmpty { return Host.empty }
        // Reason for `try?`: a setter says nothing of what it ignores.
        guard let host = try? Host.parse(name, isSpecial: record.special != nil) else { return nil }
        let isLocal = record.special == .file && host.bytes.elementsEqual("localhost".utf8)
        return isLocal ? Host.empty : host
    }

    private func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: "\\") && record.special != nil
    }

    /// "Port state": what follows the digits is ignored.
    private mutating func setPort(_ value: ArraySlice<UInt8>) {
        let digits = value.prefix(while: \.isASCIIDigit).drop { $0 == UInt8(ascii: "0") }
        guard value.first?.isASCIIDigit == true, digits.count <= 5 else { return }
        let number = digits.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
        guard let port = UInt16(exactly: number) else { return }
        record.port = port == record.special?.defaultPort ? nil : port
    }

    /// "Path start state": a `?` or `#` is part of the path here.
    private mutating func setPath(_ value: [UInt8]) {
        if record.hasOpaquePath { return }
        var parser = URLParser(EmptyCollection<UInt8>(), base: nil)
        parser.record = record
        parser.record.path = []
        parser.pathStart(value[...])
        if value.isEmpty, record.host.kind == .none { parser.record.path = [UInt8(ascii: "/")] }
        record = parser.record
    }
}
