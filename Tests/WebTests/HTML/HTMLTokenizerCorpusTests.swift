import Testing

@testable import Web

@Suite struct HTMLTokenizerCorpusTests {
    @Test func `every case of the public tokenizer suite gives its tokens`() {
        var tokens = Tally("html-tokenizer, tokens")
        var errors = Tally("html-tokenizer, errors")
        for file in Corpora.files("html-tokenizer", suffix: ".test") {
            guard let suite = Corpora.json(file) else { continue }
            for item in (suite["tests"] ?? suite["xmlViolationTests"])?.array ?? [] {
                let isXML = suite["tests"] == nil
                for state in states(item) { run(item, state, isXML, file, &tokens, &errors) }
            }
        }
        tokens.finish()
        errors.finish()
    }

    private func states(_ item: JSON) -> [String] {
        let states = item["initialStates"]?.array.compactMap(\.string) ?? []
        return states.isEmpty ? ["Data state"] : states
    }

    private func run(
        _ item: JSON, _ state: String, _ isXML: Bool, _ file: String, _ tokens: inout Tally,
        _ errors: inout Tally
    ) {
        let isEscaped = item["doubleEscaped"]?.bool ?? false
        let unescape: (String) -> String = { isEscaped ? Self.unescape($0).string ?? "" : $0 }
        let raw = item["input"]?.string ?? ""
        let input = unescape(raw)
        let expected = (item["output"]?.array ?? []).map { Self.token($0, unescape) }
        let bytes = (isEscaped ? Self.unescape(raw) : item["input"])?.bytes ?? []
        var (found, codes) = tokenize(
            input, bytes, state, lastStartTag: item["lastStartTag"]?.string ?? "")
        if isXML { found = found.map(Self.coercedToXML) }
        let label = "\(file) \(state) \(input.debugDescription)"
        tokens.check(found == expected, "\(label): \(found), should be \(expected)")
        let expectedCodes = (item["errors"]?.array ?? []).compactMap { $0["code"]?.string }.sorted()
        if !isXML {
            errors.check(codes == expectedCodes, "\(label): \(codes), should be \(expectedCodes)")
        }
    }

    private func tokenize(
        _ input: String, _ bytes: [UInt8], _ state: String, lastStartTag: String
    ) -> ([HTMLToken], [String]) {
        // A lone surrogate is an error of the input stream, and U+FFFD for all that comes after.
        let streamErrors = HTMLTokenizer.scan(bytes, collectingErrors: true) { tokenizer in
            tokenizer.checkInputStream()
            return tokenizer.errors
        }
        return HTMLTokenizer.scan(Array(input.utf8), collectingErrors: true) { tokenizer in
            tokenizer.followsElements = false
            tokenizer.rawTextName = Array(lastStartTag.utf8)
            tokenizer.content = Self.content(state)
            var tokens: [HTMLToken] = []
            while let kind = tokenizer.next() {
                let token = tokenizer.token(kind)
                if case .text(let text) = token, case .text(let before) = tokens.last {
                    tokens[tokens.count - 1] = .text(before + text)
                } else {
                    tokens.append(token)
                }
            }
            let codes = (streamErrors + tokenizer.errors).map(\.code.rawValue)
            return (tokens, codes.sorted())
        }
    }

    /// Section 13.2.9, "coercing an HTML DOM into an infoset": not part of the tokenizer, but some
    /// cases are told that way.
    private static func coercedToXML(_ token: HTMLToken) -> HTMLToken {
        switch token {
        case .text(let text):
            let replaced = text.unicodeScalars.map { scalar -> Character in
                scalar == "\u{C}" ? " " : scalar == "\u{FFFF}" ? "\u{FFFD}" : Character(scalar)
            }
            return .text(String(replaced))
        case .comment(let text):
            let apart = text.replacing("--", with: "- -")
            return .comment(apart.hasSuffix("-") ? apart + " " : apart)
        default: return token
        }
    }

    private static func content(_ state: String) -> HTMLTokenizer.Content {
        switch state {
        case "Data state": .data
        case "RCDATA state": .rcdata
        case "RAWTEXT state": .rawtext
        case "Script data state": .script
        case "PLAINTEXT state": .plaintext
        case "CDATA section state": .cdata
        default: preconditionFailure("unknown state \(state)")
        }
    }

    private static func token(_ item: JSON, _ unescape: (String) -> String) -> HTMLToken {
        let parts = item.array
        let name = parts[1].string.map(unescape)
        switch parts[0].string {
        case "DOCTYPE":
            return .doctype(
                HTMLToken.Doctype(
                    name: name, publicID: parts[2].string.map(unescape),
                    systemID: parts[3].string.map(unescape), forcesQuirks: parts[4].bool == false))
        case "StartTag":
            return .startTag(
                name: name!,
                attributes: parts[2].members.map {
                    .init(name: unescape($0.0), value: unescape($0.1.string!))
                }, isSelfClosing: parts.count > 3 && parts[3].bool == true)
        case "EndTag": return .endTag(name: name!)
        case "Comment": return .comment(name!)
        default: return .text(name!)
        }
    }

    /// `doubleEscaped` cases write their characters as `\uXXXX` inside of the JSON string.
    private static func unescape(_ text: String) -> JSON {
        let quoted = "\"" + text.replacing("\"", with: "\\\"") + "\""
        return JSON.parse(Array(quoted.utf8))
    }
}
