/// Text that moves no cursor, changes no colour and turns no writing direction round, whoever
/// wrote it.
///
/// Names, keys, titles and messages are others'. What a terminal would obey, or what can't be seen,
/// is shown as JSON writes it (`\u001b`): so JSON stays the same JSON, and nothing is lost or taken
/// for something else.
package enum PlainText {
    /// All but new lines, which are ours as a rule; also those of CSV.
    package static func escaped(_ text: String) -> String { escaped(text, keeping: "\n") }

    /// What comes back from a form's field as it went out: besides new lines and tabs, what only
    /// joins letters or chooses a glyph stays.
    package static func field(_ text: String) -> String {
        text.unicodeScalars.contains { isObeyed($0) && !isKept($0) } ? escaped(text) : text
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0xAD, 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// New lines too: a name that has one would write lines of its own.
    package static func line(_ text: String) -> String { escaped(text, keeping: nil) }

    private static func escaped(_ text: String, keeping kept: Unicode.Scalar?) -> String {
        // Most texts have nothing but ASCII that can be seen.
        let newLine = kept == nil ? 0x20 : UInt8(ascii: "\n")
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == newLine }) { return text }
        var result = String.UnicodeScalarView()
        let scalars = text.unicodeScalars
        for index in scalars.indices {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            let endsLine =
                scalar == "\r" && kept != nil && next < scalars.endIndex && scalars[next] == "\n"
            if scalar == kept || endsLine || !isObeyed(scalar) {
                result.append(scalar)
            } else {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            }
        }
        return String(result)
    }

    /// C0, C1, DEL, what turns directions round, joins or hides, and what ends lines.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value < 0x20 }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        // Letters that are blank, and marks that only choose a glyph.
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\t": return "\\t"
        case "\r": return "\\r"
        default: break
        }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
