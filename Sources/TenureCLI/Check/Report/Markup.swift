import Tenure

/// HTML in which every value is escaped: what is written here is markup, what is put in is text.
///
/// No template engine: the one report has three shapes, and a literal of this type can't forget to
/// escape.
struct Markup: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation parts: Interpolation) { text = parts.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }

        mutating func appendInterpolation(_ value: Int) { text += String(value) }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ markup: Markup?) { text += markup?.text ?? "" }

        mutating func appendInterpolation(_ parts: [Markup]) {
            for part in parts { text += part.text + "\n" }
        }

        /// What is no text of a page: a style sheet, a script.
        mutating func appendInterpolation(verbatim own: StaticString) { text += "\(own)" }
    }

    private static let longest = 2000

    /// Nothing that a browser would obey, that hides, or that turns what stands beside it round.
    private static func escaped(_ value: String) -> String {
        let isLong = value.utf8.count > longest && value.unicodeScalars.count > longest
        let shown = isLong ? String(value.unicodeScalars.prefix(longest)) + "…" : value
        return PlainText.line(shown).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case _ where isForbidden(scalar.value): result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// No characters at all, says Unicode, and HTML forbids them.
    private static func isForbidden(_ value: UInt32) -> Bool {
        value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value)
    }
}
