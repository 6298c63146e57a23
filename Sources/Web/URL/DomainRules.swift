import TenureLibidn2

/// "ContextJ" (RFC 5892, appendix A): a joiner needs a virama before it, or, the non-joiner,
/// letters on both sides that would otherwise join.
enum JoinerRule {
    static func allows(_ label: [Unicode.Scalar]) -> Bool {
        for (index, scalar) in label.enumerated() where isJoiner(scalar) {
            guard index > 0 else { return false }
            if label[index - 1].properties.canonicalCombiningClass == .virama { continue }
            guard scalar == "\u{200C}", wouldJoin(around: index, in: label) else { return false }
        }
        return true
    }

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    /// Asks libidn2, which has the joining types, about the part without ASCII around `index`.
    private static func wouldJoin(around index: Int, in label: [Unicode.Scalar]) -> Bool {
        let start = label[..<index].lastIndex { $0.isASCII || isJoiner($0) }.map { $0 + 1 } ?? 0
        let end = label[(index + 1)...].firstIndex { $0.isASCII || isJoiner($0) } ?? label.count
        var part = String.UnicodeScalarView()
        // Bounded, as a longer label would be refused for its length: marks may stand between
        // the letters that matter, but not many.
        let before = label[max(start, index - 8)..<index].drop(while: \.isMark)
        part.append(contentsOf: before + label[index..<min(end, index + 9)])
        switch Libidn2.lookup(String(part), IDN2_NONTRANSITIONAL).code {
        // What libidn2 looks at after the joiners; not asked here.
        case IDN2_OK, IDN2_BIDI, IDN2_CONTEXTO, IDN2_CONTEXTO_NO_RULE, IDN2_UNASSIGNED: return true
        default: return false
        }
    }
}

/// The bidi rule (RFC 5893): in a name with one right-to-left label, every label must have one
/// direction. libidn2 knows the rule for a label that is right-to-left; it never sees the others.
enum BidiRule {
    static func allows(_ labels: [[Unicode.Scalar]]) -> Bool {
        guard labels.contains(where: { $0.contains(where: isRightToLeft) }) else { return true }
        return labels.allSatisfy { label in
            guard let first = label.first else { return true }
            if label.contains(where: isRightToLeft) {
                return isRightToLeft(first) && libidn2(label)
            }
            return isStrong(first) && endsLeftToRight(label)
        }
    }

    private static func libidn2(_ label: [Unicode.Scalar]) -> Bool {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: label.prefix(40))
        return Libidn2.lookup(String(text), IDN2_NONTRANSITIONAL).code != IDN2_BIDI
    }

    private static func endsLeftToRight(_ label: [Unicode.Scalar]) -> Bool {
        guard let last = label.last(where: { !$0.isMark }) else { return true }
        return isStrong(last) || last.properties.numericType == .decimal
    }

    private static func isStrong(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .spacingMark
    }

    /// Bidi classes R, AL and AN: by the blocks that Unicode has set aside for them.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // European numbers and symbols among the Arabic letters.
        case 0x600...0x607, 0x609...0x60A, 0x60C, 0x60E...0x60F, 0x66A, 0x6DE, 0x6E9,
            0x6F0...0x6F9, 0x7F6...0x7F9, 0x1091F, 0x10B39...0x10B3F, 0xFD3E...0xFD4F, 0xFDCF,
            0xFDFD...0xFDFF, 0x1EEF0...0x1EEF1:
            false
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            !scalar.isMark
        default: false
        }
    }
}

extension Unicode.CanonicalCombiningClass {
    static let virama = Unicode.CanonicalCombiningClass(rawValue: 9)
}
