/// Swift source, taken apart: what is code, what is inside string literals, what is comment.
///
/// A look, not a parser: it knows comments (nested), string literals (raw, of several lines) and
/// interpolation, whose content is code again.
struct SwiftText {
    /// The code by lines, strings and comments left out.
    let code: [String]
    /// The contents of string literals by lines.
    let strings: [String]
    /// The comments by lines, slashes included.
    let comments: [String]
    /// The code by lines, strings within.
    let uncommented: [String]

    init(_ text: String) {
        var scanner = SwiftScanner(text)
        scanner.scan()
        code = scanner.lines(of: .code)
        strings = scanner.lines(of: .string)
        comments = scanner.lines(of: .comment)
        uncommented = scanner.lines(of: .code, .string)
    }
}

/// Gives every byte its kind.
private struct SwiftScanner {
    enum Kind {
        case code, string, comment
    }

    private enum State {
        /// The depth counts parentheses inside an interpolation; 0 is outside of any.
        case code(depth: Int)
        case string(hashes: Int, isLong: Bool)
        case lineComment
        case blockComment(depth: Int)
    }

    private let bytes: [UInt8]
    private var kinds: [Kind] = []
    private var states: [State] = [.code(depth: 0)]

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")
    private static let backslash = UInt8(ascii: "\\")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")

    init(_ text: String) {
        bytes = Array(text.utf8)
        kinds.reserveCapacity(bytes.count)
    }

    func lines(of wanted: Kind...) -> [String] {
        zip(bytes, kinds).lazy.filter { $0 == Self.newline || wanted.contains($1) }.map(\.0)
            .split(separator: Self.newline, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func scan() {
        while let byte = byte(0) {
            switch states[states.count - 1] {
            case .code(let depth): stepInCode(byte, depth)
            case .string(let hashes, let isLong): stepInString(byte, hashes, isLong)
            case .lineComment: stepInLineComment(byte)
            case .blockComment(let depth): stepInBlockComment(byte, depth)
            }
        }
    }

    private mutating func stepInCode(_ byte: UInt8, _ depth: Int) {
        switch byte {
        case Self.slash where self.byte(1) == Self.slash: states.append(.lineComment)
        case Self.slash where self.byte(1) == Self.star:
            states.append(.blockComment(depth: 1))
            take(2, as: .comment)
        case Self.quote, Self.hash: stepAtQuote()
        case UInt8(ascii: "(") where depth > 0: nest(depth + 1)
        case UInt8(ascii: ")") where depth > 1: nest(depth - 1)
        case UInt8(ascii: ")") where depth == 1:
            states.removeLast()
            take(1, as: .code)
        default: take(1, as: .code)
        }
    }

    private mutating func nest(_ depth: Int) {
        states[states.count - 1] = .code(depth: depth)
        take(1, as: .code)
    }

    private mutating func stepAtQuote() {
        let hashes = count(of: Self.hash, from: 0)
        let quotes = count(of: Self.quote, from: hashes)
        guard quotes > 0 else { return take(max(1, hashes), as: .code) }
        let isLong = quotes >= 3
        states.append(.string(hashes: hashes, isLong: isLong))
        take(hashes + (isLong ? 3 : 1), as: .code)
    }

    private mutating func stepInString(_ byte: UInt8, _ hashes: Int, _ isLong: Bool) {
        let quotes = isLong ? 3 : 1
        if byte == Self.quote, count(of: Self.quote, from: 0) >= quotes,
            count(of: Self.hash, from: quotes) >= hashes
        {
            states.removeLast()
            take(quotes + hashes, as: .code)
        } else if byte == Self.backslash, count(of: Self.hash, from: 1) >= hashes {
            stepAtEscape(hashes)
        } else {
            if byte == Self.newline, !isLong { states.removeLast() }
            take(1, as: .string)
        }
    }

    private mutating func stepAtEscape(_ hashes: Int) {
        if byte(hashes + 1) == UInt8(ascii: "(") {
            states.append(.code(depth: 1))
            take(hashes + 2, as: .code)
        } else {
            take(hashes + 2, as: .string)
        }
    }

    private mutating func stepInLineComment(_ byte: UInt8) {
        if byte == Self.newline { states.removeLast() }
        take(1, as: .comment)
    }

    private mutating func stepInBlockComment(_ byte: UInt8, _ depth: Int) {
        let isOpening = byte == Self.slash && self.byte(1) == Self.star
        let isClosing = byte == Self.star && self.byte(1) == Self.slash
        if isOpening { states[states.count - 1] = .blockComment(depth: depth + 1) }
        if isClosing { states[states.count - 1] = .blockComment(depth: depth - 1) }
        if isClosing, depth == 1 { states.removeLast() }
        take(isOpening || isClosing ? 2 : 1, as: .comment)
    }

    private mutating func take(_ count: Int, as kind: Kind) {
        for _ in 0..<min(count, bytes.count - kinds.count) { kinds.append(kind) }
    }

    private func byte(_ offset: Int) -> UInt8? {
        let position = kinds.count + offset
        return position < bytes.count ? bytes[position] : nil
    }

    private func count(of byte: UInt8, from offset: Int) -> Int {
        var count = 0
        while self.byte(offset + count) == byte { count += 1 }
        return count
    }
}
