/// Swift source, taken apart: what is code, what is inside string literals, what is comment.
///
/// A look, not a parser: it knows comments (nested), string literals (raw, of several lines) and
/// interpolation, whose content is code again.
struct SwiftText {
    /// The code by lines, strings and comments blanked out.
    private(set) var code: [String] = [""]
    /// The contents of string literals by lines.
    private(set) var strings: [String] = [""]
    /// The comments by lines, slashes included.
    private(set) var comments: [String] = [""]

    private enum State: Equatable {
        case code(interpolationDepth: Int)
        case string(hashes: Int, isLong: Bool)
        case lineComment
        case blockComment(depth: Int)
    }

    private var lines = (code: [[UInt8]()], strings: [[UInt8]()], comments: [[UInt8]()])
    private var states: [State] = [.code(interpolationDepth: 0)]
    private var position = 0
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        while position < bytes.count {
            if bytes[position] == Self.newline {
                breakLine()
            } else {
                step()
            }
        }
        code = lines.code.map { String(decoding: $0, as: UTF8.self) }
        strings = lines.strings.map { String(decoding: $0, as: UTF8.self) }
        comments = lines.comments.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")

    private mutating func step() {
        switch states[states.count - 1] {
        case .code(let depth): stepInCode(depth)
        case .string(let hashes, let isLong): stepInString(hashes, isLong)
        case .lineComment: take(1, into: \.comments)
        case .blockComment(let depth): stepInBlockComment(depth)
        }
    }

    private mutating func stepInCode(_ depth: Int) {
        if starts("//") {
            states.append(.lineComment)
        } else if starts("/*") {
            states.append(.blockComment(depth: 0))
        } else if let (hashes, isLong) = openingQuote() {
            take(hashes + (isLong ? 3 : 1), into: \.code)
            states.append(.string(hashes: hashes, isLong: isLong))
        } else if bytes[position] == UInt8(ascii: ")"), depth == 1 {
            states.removeLast()
            take(1, into: \.code)
        } else {
            if depth > 0, bytes[position] == UInt8(ascii: "(") { nest(depth + 1) }
            if depth > 0, bytes[position] == UInt8(ascii: ")") { nest(depth - 1) }
            take(1, into: \.code)
        }
    }

    private mutating func nest(_ depth: Int) {
        states[states.count - 1] = .code(interpolationDepth: depth)
    }

    private mutating func stepInString(_ hashes: Int, _ isLong: Bool) {
        let marks = String(repeating: "#", count: hashes)
        let end = (isLong ? "\"\"\"" : "\"") + marks
        if starts(end) {
            states.removeLast()
            take(end.utf8.count, into: \.code)
        } else if starts("\\" + marks + "(") {
            position += hashes + 2
            states.append(.code(interpolationDepth: 1))
            lines.code[lines.code.count - 1].append(UInt8(ascii: "("))
        } else if starts("\\" + marks) {
            take(hashes + 1, into: \.strings)
            if position < bytes.count, bytes[position] != Self.newline { take(1, into: \.strings) }
        } else {
            take(1, into: \.strings)
        }
    }

    private mutating func stepInBlockComment(_ depth: Int) {
        if starts("/*") {
            states[states.count - 1] = .blockComment(depth: depth + 1)
            take(2, into: \.comments)
        } else if starts("*/") {
            take(2, into: \.comments)
            if depth == 1 {
                states.removeLast()
            } else {
                states[states.count - 1] = .blockComment(depth: depth - 1)
            }
        } else {
            take(1, into: \.comments)
        }
    }

    private mutating func breakLine() {
        position += 1
        lines.code.append([])
        lines.strings.append([])
        lines.comments.append([])
        switch states[states.count - 1] {
        case .lineComment, .string(_, isLong: false): states.removeLast()
        default: break
        }
    }

    private typealias Lines = (code: [[UInt8]], strings: [[UInt8]], comments: [[UInt8]])

    private mutating func take(_ count: Int, into part: WritableKeyPath<Lines, [[UInt8]]>) {
        let end = min(position + count, bytes.count)
        lines[keyPath: part][lines.code.count - 1].append(contentsOf: bytes[position..<end])
        position = end
    }

    private func openingQuote() -> (hashes: Int, isLong: Bool)? {
        var at = position
        while at < bytes.count, bytes[at] == Self.hash { at += 1 }
        guard at < bytes.count, bytes[at] == Self.quote else { return nil }
        let isLong = bytes[at...].starts(with: [Self.quote, Self.quote, Self.quote])
        return (at - position, isLong)
    }

    private func starts(_ text: String) -> Bool {
        bytes[position...].starts(with: text.utf8)
    }
}
