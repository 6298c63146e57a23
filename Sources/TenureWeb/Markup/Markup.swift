package import Tenure

/// HTML in which every value is escaped: what is written here is markup, what is put in is text.
///
/// No template engine: a literal of this type can't forget to escape (docs/decisions/console.md).
package struct Markup: ExpressibleByStringInterpolation, Sendable {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation parts: Interpolation) { text = parts.text }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }

        package mutating func appendInterpolation(_ value: Int) { text += String(value) }

        package mutating func appendInterpolation(_ queue: QueueName) {
            text += Markup.escaped(queue.rawValue)
        }

        package mutating func appendInterpolation(_ kind: JobKind) {
            text += Markup.escaped(kind.rawValue)
        }

        package mutating func appendInterpolation(_ job: JobID) { text += "\(job)" }

        package mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        package mutating func appendInterpolation(_ markup: Markup?) { text += markup?.text ?? "" }

        package mutating func appendInterpolation(_ parts: [Markup]) {
            for part in parts { text += part.text + "\n" }
        }

        /// A text of several lines, for `pre`: whole, but for what nobody reads to its end.
        package mutating func appendInterpolation(document value: String) {
            text += Markup.escaped(value, longest: Markup.longestDocument, keepsLines: true)
        }

        /// What a form's field holds: whole, and as far as it may be as it comes back.
        package mutating func appendInterpolation(field value: String) {
            text += Markup.quoted(PlainText.field(value))
        }

        /// What is no text of a page: a style sheet, a script.
        package mutating func appendInterpolation(verbatim own: StaticString) { text += "\(own)" }
    }

    private static let longest = 2000
    private static let longestDocument = 100_000

    /// Nothing that a browser would obey, that hides, or that turns what stands beside it round.
    private static func escaped(
        _ value: String, longest: Int = longest, keepsLines: Bool = false
    ) -> String {
        let isLong = value.utf8.count > longest && value.unicodeScalars.count > longest
        let shown = isLong ? String(value.unicodeScalars.prefix(longest)) + "…" : value
        return quoted(keepsLines ? PlainText.escaped(shown) : PlainText.line(shown))
    }

    private static func quoted(_ plain: String) -> String {
        plain.unicodeScalars.reduce(into: "") { result, scalar in
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
