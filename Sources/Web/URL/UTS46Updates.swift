/// Where UTS #46 of Unicode 16 says otherwise than the version that libidn2 was built with.
///
/// Unicode 15.1 and 16 map or ignore characters that were disallowed before; characters that
/// are newer than libidn2 are taken from the standard library's tables.
enum UTS46Updates {
    static func mapping(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar.value {
        case 0x1E9E: ["\u{DF}"]
        case 0x1806: [scalar]
        case 0x115F...0x1160, 0x17B4...0x17B5, 0x180E, 0x2061...0x2063, 0x206A...0x206F, 0x3164,
            0xFFA0, 0x1D173...0x1D17A:
            []
        case 0x4C0, 0x10A0...0x10C5, 0x2132, 0x2183: lowercased(scalar)
        case 0x2F868: ["\u{36FC}"]
        case 0x2F874: ["\u{5F53}"]
        case 0x2F91F: ["\u{243AB}"]
        case 0x2F95F: ["\u{7AEE}"]
        case 0x2F9BF: ["\u{45D7}"]
        case 0x1CCD6...0x1CCEF: [Unicode.Scalar(UInt8(scalar.value - 0x1CCD6) + 0x61)]
        case 0x1CCF0...0x1CCF9: [Unicode.Scalar(UInt8(scalar.value - 0x1CCF0) + 0x30)]
        case 0xA7F1: ["s"]
        case 0x1E030...0x1E06D: [cyrillicModifiers[Int(scalar.value - 0x1E030)]]
        default: newer(scalar)
        }
    }

    /// What the small raised and lowered Cyrillic letters of Unicode 15 map to.
    private static let cyrillicModifiers = Array(
        "абвгдежзиклмопрстуфхцчшыэюꚉәіјөүӏабвгдежзиклопсуфхцчшъыґіѕџҫꙑұ".unicodeScalars)

    /// Libidn2's tables end with Unicode 14; what came later is valid unless it has a lower case.
    private static func newer(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        if isDisallowed(scalar) { return nil }
        guard let age = scalar.properties.age, age.major > 14 else { return nil }
        return lowercased(scalar)
    }

    /// What is new and yet never valid: characters that describe ideographs, and formats of
    /// hieroglyphs.
    private static func isDisallowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2FFC...0x2FFF, 0x31EF, 0x13439...0x1343F: true
        default: false
        }
    }

    private static func lowercased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        Array(scalar.properties.lowercaseMapping.unicodeScalars)
    }
}
