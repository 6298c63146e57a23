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

    /// What joins to the left, marks, the non-joiner, marks, what joins to the right. That a
    /// name of nothing but marks and joiners costs no more than its length, the marks are bounded.
    private static func wouldJoin(around index: Int, in label: [Unicode.Scalar]) -> Bool {
        let before = label[max(0, index - maxMarks)..<index].last { !$0.isTransparent }
        let after = label[(index + 1)...].prefix(maxMarks).first { !$0.isTransparent }
        guard let before, let after else { return false }
        let left = CharacterRuns.joiningType[before]
        let right = CharacterRuns.joiningType[after]
        return (left == UInt8(ascii: "L") || left == UInt8(ascii: "D"))
            && (right == UInt8(ascii: "R") || right == UInt8(ascii: "D"))
    }

    /// A DNS label has no more than 63 bytes.
    private static let maxMarks = 64
}

/// The bidi rule (RFC 5893, section 2): in a name with one right-to-left label, every label must
/// have one direction.
enum BidiRule {
    private enum Class: UInt8 {
        case left = 0x4C
        case right = 0x52
        case european = 0x45
        case arabic = 0x41
        case neutral = 0x4F
        case forbidden = 0x58
        case mark = 0x4D

        init(_ scalar: Unicode.Scalar) {
            if scalar.isNonspacing {
                self = .mark
            } else {
                self = Class(rawValue: CharacterRuns.bidiClass[scalar]) ?? .forbidden
            }
        }
    }

    static func allows(_ labels: [[Unicode.Scalar]]) -> Bool {
        if labels.allSatisfy({ $0.allSatisfy { $0.value < 0x590 } }) { return true }
        let classes = labels.map { $0.map(Class.init) }
        let isBidi = classes.contains { $0.contains { $0 == .right || $0 == .arabic } }
        return !isBidi || classes.allSatisfy(hasOneDirection)
    }

    private static func hasOneDirection(_ label: [Class]) -> Bool {
        guard let first = label.first else { return true }
        guard let last = label.last(where: { $0 != .mark }) else { return false }
        switch first {
        case .left:
            return (last == .left || last == .european)
                && !label.contains { $0 == .right || $0 == .arabic || $0 == .forbidden }
        case .right:
            return last == .right || last == .european || last == .arabic
                ? !label.contains { $0 == .left || $0 == .forbidden }
                    && !(label.contains(.european) && label.contains(.arabic))
                : false
        default:
            return false
        }
    }
}

extension Unicode.Scalar {
    /// Bidi class NSM: marks without width, but for eight that Unicode 16 made letters of.
    fileprivate var isNonspacing: Bool {
        switch value {
        case 0xCBF, 0xCC6, 0x1B3A, 0x1B3C, 0x1B42, 0x11A07...0x11A08, 0x11C3F: false
        default:
            properties.generalCategory == .nonspacingMark
                || properties.generalCategory == .enclosingMark
        }
    }

    /// Joining type T: marks and formats, but for the joiners, and one letter.
    fileprivate var isTransparent: Bool {
        if self == "\u{1E94B}" { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        case .format: return self != "\u{200C}" && self != "\u{200D}"
        default: return false
        }
    }
}

extension Unicode.CanonicalCombiningClass {
    static let virama = Unicode.CanonicalCombiningClass(rawValue: 9)
}
