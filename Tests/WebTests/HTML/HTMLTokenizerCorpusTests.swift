import Testing

@testable import Web

@Suite struct HTMLTokenizerCorpusTests {
    @Test func `every case of the public tokenizer suite gives its tokens`() {
        var tokens = Tally("html-tokenizer, tokens")
        var errors = Tally("html-tokenizer, errors")
        for file in Corpora.files("html-tokenizer", suffix: ".test") {
            guard let suite = Corpora.json(file) else { continue }
            for item in (suite["tests"] ?? suite["xmlViolationTests"])?.array ?? [] {
                guard suite["tests"] != nil else { continue }
                for state in states(item) { run(item, state, file, &tokens, &errors) }
            }
        }
        tokens.finish()
        // A lone surrogate can't be told from U+FFFD in UTF-8, where it can't be.
        errors.finish(allowing: 1)
    }

    private func states(_ item: JSON) -> [String] {
        let states = item["initialStates"]?.array.compactMap(\.string) ?? []
        return states.isEmpty ? ["Data state"] : states
    }

    private func run(
        _ item: JSON, _ state: String, _ file: String, _ tokens: inout Tally, _ errors: inout Tally
    ) {
        let isEscaped = item["doubleEscaped"]?.bool ?? false
        let unescape: (String) -> String = { isEscaped ? Self.unescape($0) : $0 }
        let input = unescape(item["input"]?.string ?? "")
        let expected = (item["output"]?.array ?? []).map { Self.token($0, unescape) }
        let (found, codes) = tokenize(
            input, state, lastStartTag: item["lastStartTag"]?.string ?? "")
        let label = "\(file) \(state) \(input.debugDescription)"
        tokens.check(found == expected, "\(label): \(found), should be \(expected)")
        let expectedCodes = (item["errors"]?.array ?? []).compactMap { $0["code"]?.string }.sorted()
        errors.check(codes == expectedCodes, "\(label): \(codes), should be \(expectedCodes)")
    }

    private func tokenize(
        _ input: String, _ state: String, lastStartTag: String
    ) -> ([HTMLToken], [String]) {
        HTMLTokenizer.scan(Array(input.utf8), collectingErrors: true) { tokenizer in
            tokenizer.followsElements = false
            tokenizer.rawTextName = Array(lastStartTag.utf8)
            tokenizer.content = Self.content(state)
            tokenizer.checkInputStream()
            var tokens: [HTMLToken] = []
            while let kind = tokenizer.next() {
                let token = tokenizer.token(kind)
                if case .text(let text) = token, case .text(let before) = tokens.last {
                    tokens[tokens.count - 1] = .text(before + text)
                } else {
                    tokens.append(token)
                }
            }
            return (tokens, tokenizer.errors.map(\.code.rawValue).sorted())
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
    private static func unescape(_ text: String) -> String {
        let quoted = "\"" + text.replacing("\"", with: "\\\"") + "\""
        return JSON.parse(Array(quoted.utf8)).string ?? ""
    }
}
