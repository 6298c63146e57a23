/// A pattern for one name of a path.
struct NamePattern: Sendable, Equatable {
    private enum Token: Equatable {
        case any
        case one
        case scalar(Unicode.Scalar)
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    }

    private var tokens: [Token] = []
    private let ignoresCase: Bool

    /// - Throws: `PathGlob.Malformed`.
    init(_ text: some StringProtocol, ignoresCase: Bool) throws(PathGlob.Malformed) {
        self.ignoresCase = ignoresCase
        var rest = Array(Self.folded(String(text), ignoresCase))[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": if tokens.last != .any { tokens.append(.any) }
            case "?": tokens.append(.one)
            case "[": tokens.append(try Self.set(&rest))
            case "\\": tokens.append(.scalar(rest.popFirst() ?? "\\"))
            default: tokens.append(.scalar(scalar))
            }
        }
    }

    /// A name, and no pattern.
    var literal: String? {
        if ignoresCase { return nil }
        var text = String.UnicodeScalarView()
        for token in tokens {
            guard case .scalar(let scalar) = token else { return nil }
            text.append(scalar)
        }
        return String(text)
    }

    /// `.` and `..`, which no folder lists: they lead on, whatever the case.
    var step: String? {
        if tokens == [.scalar(".")] { return "." }
        return tokens == [.scalar("."), .scalar(".")] ? ".." : nil
    }

    var beginsWithDot: Bool { tokens.first == .scalar(".") }

    /// The last `*` is the only one that is ever gone back to.
    func matches(_ name: String) -> Bool {
        let name = Array(Self.folded(name, ignoresCase))
        var (place, token) = (0, 0)
        var retry: (place: Int, token: Int)?
        while place < name.count {
            if token < tokens.count, tokens[token] == .any {
                retry = (place, token + 1)
                token += 1
            } else if token < tokens.count, fits(tokens[token], name[place]) {
                (place, token) = (place + 1, token + 1)
            } else if let last = retry {
                retry = (last.place + 1, last.token)
                (place, token) = (last.place + 1, last.token)
            } else {
                return false
            }
        }
        return tokens[token...].allSatisfy { $0 == .any }
    }

    private func fits(_ token: Token, _ scalar: Unicode.Scalar) -> Bool {
        switch token {
        case .any: false
        case .one: true
        case .scalar(let wanted): wanted == scalar
        case .oneOf(let ranges, let isNegated):
            ranges.contains { $0.contains(scalar) } != isNegated
        }
    }

    /// Behind the `[` of a set. A `]` at its very start means itself.
    private static func set(
        _ rest: inout ArraySlice<Unicode.Scalar>
    ) throws(PathGlob.Malformed) -> Token {
        let isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest = rest.dropFirst() }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while let first = rest.popFirst() {
            if first == "]", !ranges.isEmpty { return .oneOf(ranges, isNegated: isNegated) }
            let low = first == "\\" ? rest.popFirst() ?? first : first
            guard rest.first == "-", let high = rest.dropFirst().first, high != "]" else {
                ranges.append(low...low)
                continue
            }
            guard low <= high else {
                throw PathGlob.Malformed(description: "\(low)-\(high) is no range")
            }
            ranges.append(low...high)
            rest = rest.dropFirst(2)
        }
        throw PathGlob.Malformed(description: "a [ without its ]")
    }

    private static func folded(_ text: String, _ ignoresCase: Bool) -> String.UnicodeScalarView {
        (ignoresCase ? text.lowercased() : text).unicodeScalars
    }
}
