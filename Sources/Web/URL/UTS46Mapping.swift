// docs/decisions/idna.md

import TenureLibidn2

/// The mapping table of UTS #46 and Unicode composition, both out of libidn2.
///
/// libidn2 offers them only inside a lookup of a whole name. One character between two zeros is
/// a name that none of its other rules can refuse, if the lookup is "transitional"; then only
/// the four characters that the transition was about come out wrong, and they never reach it.
enum UTS46Mapping {
    /// Each character replaced by what it maps to; nil if one is disallowed.
    static func map(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar]? {
        var result: [Unicode.Scalar] = []
        for scalar in scalars {
            if scalar.isASCII {
                result.append(Unicode.Scalar(UInt8(scalar.value).asciiLowercased))
            } else if isDeviation(scalar) {
                result.append(scalar)
            } else if let mapped = UTS46Updates.mapping(of: scalar) ?? lookup([scalar]) {
                result += mapped
            } else {
                return nil
            }
        }
        return result
    }

    /// Normalization form C. Canonical composition never crosses the border of a grapheme
    /// cluster, so each cluster is a lookup of its own, however long the name.
    static func compose(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if scalars.allSatisfy({ $0.value < 0x300 }) { return scalars }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        var result: [Unicode.Scalar] = []
        for cluster in String(text) {
            let parts = cluster.unicodeScalars
            if parts.count == 1, parts.first!.isASCII {
                result += parts
            } else {
                composeCluster(parts, into: &result)
            }
        }
        return result
    }

    private static func composeCluster(
        _ scalars: Character.UnicodeScalarView, into result: inout [Unicode.Scalar]
    ) {
        var run: [Unicode.Scalar] = []
        for scalar in scalars {
            if isDeviation(scalar) {
                result += lookup(run) ?? run
                result.append(scalar)
                run = []
            } else {
                run.append(scalar)
            }
        }
        if !run.isEmpty { result += lookup(run) ?? run }
    }

    /// Sharp s, final sigma and the two joiners: valid, and each its own mapping.
    private static func isDeviation(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{DF}" || scalar == "\u{3C2}" || scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    private static func lookup(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var name = String.UnicodeScalarView("0".unicodeScalars)
        name.append(contentsOf: scalars)
        name.append("0")
        guard let ascii = Libidn2.lookup(String(name), IDN2_TRANSITIONAL).name else { return nil }
        var result: [Unicode.Scalar] = []
        for label in ascii.split(separator: ".", omittingEmptySubsequences: false) {
            if !result.isEmpty { result.append(".") }
            if label.starts(with: "xn--".unicodeScalars) {
                guard let decoded = Punycode.decode(label.dropFirst(4)) else { return nil }
                result += decoded
            } else {
                result += label
            }
        }
        return Array(result.dropFirst().dropLast())
    }
}

/// The one call into the C library.
enum Libidn2 {
    static func lookup(
        _ name: String, _ mode: idn2_flags
    ) -> (name: [Unicode.Scalar]?, code: idn2_rc) {
        var output: UnsafeMutablePointer<UInt8>?
        let flags = mode.rawValue | IDN2_NO_ALABEL_ROUNDTRIP.rawValue
        let code = idn2_lookup_u8(Array(name.utf8) + [0], &output, Int32(flags))
        defer { idn2_free(output) }
        guard code == IDN2_OK.rawValue, var byte = output else {
            return (nil, idn2_rc(rawValue: code))
        }
        var scalars: [Unicode.Scalar] = []
        while byte.pointee != 0 {
            scalars.append(Unicode.Scalar(byte.pointee))
            byte += 1
        }
        return (scalars, IDN2_OK)
    }
}
