/// The standard's "domain to ASCII", not strict: UTS #46 processing without transitional
/// mapping, hyphen, STD3 and length rules, with the rules for joiners and for bidi.
///
/// libidn2 as a whole answers another question: it refuses symbols (IDNA 2008), hyphens in third
/// and fourth place, long names, and tests bidi label by label. So it is asked only what it
/// knows best, `UTS46Mapping`, the mapping and composing of single characters; the processing
/// steps are here, in the order of UTS #46, section 4.
enum DomainName {
    /// Far above any name that DNS could hold; below, the work for a name is bounded.
    private static let maxBytes = 1 << 14

    static func toASCII(_ utf8: [UInt8]) throws(WebURLError) -> [UInt8] {
        if utf8.count > maxBytes { throw WebURLError(.tooLong) }
        guard let mapped = UTS46Mapping.map(String(decoding: utf8, as: UTF8.self).unicodeScalars)
        else { throw WebURLError(.domainInvalid) }
        let composed = UTS46Mapping.compose(mapped)
        var labels: [[Unicode.Scalar]] = []
        for label in composed.split(separator: ".", omittingEmptySubsequences: false) {
            guard let decoded = decode(label) else { throw WebURLError(.domainInvalid) }
            labels.append(decoded)
        }
        guard labels.allSatisfy(isValid), BidiRule.allows(labels) else {
            throw WebURLError(.domainInvalid)
        }
        var result: [UInt8] = []
        for (index, label) in labels.enumerated() {
            if index > 0 { result.append(UInt8(ascii: ".")) }
            guard append(label, to: &result) else { throw WebURLError(.domainInvalid) }
        }
        return result
    }

    /// A label that begins with `xn--` as what it stands for; it must stand for something that
    /// mapping would leave as it is.
    private static func decode(_ label: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar]? {
        guard label.starts(with: "xn--".unicodeScalars) else { return Array(label) }
        guard let decoded = Punycode.decode(label.dropFirst(4)),
            decoded.contains(where: { !$0.isASCII }),
            UTS46Mapping.map(decoded) == decoded,
            UTS46Mapping.compose(decoded) == decoded
        else { return nil }
        return decoded
    }

    /// UTS #46, section 4.1, "validity criteria", without what mapping has seen to.
    private static func isValid(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first else { return true }
        if first.isMark || label.starts(with: "xn--".unicodeScalars) { return false }
        return !label.contains(".") && JoinerRule.allows(label)
    }

    private static func append(_ label: [Unicode.Scalar], to result: inout [UInt8]) -> Bool {
        if label.allSatisfy(\.isASCII) {
            result += label.map { UInt8($0.value) }
            return true
        }
        guard let encoded = Punycode.encode(label) else { return false }
        result += "xn--".utf8
        result += encoded
        return true
    }
}

extension Unicode.Scalar {
    var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
