import Tenure

/// The shape of a JSON object, a line for each of its fields:
///
///     due: whole  jobs that could run now
///     pausedBy: text?
///     places: [Place]
///
/// `?` behind the type is null, behind the name that the field may be left out. Types are text,
/// whole, number, flag, time, id, any, a list `[…]`, a map of names to something `{…}`, and the
/// names of other objects.
struct SchemaText {
    let lines: String

    var object: PayloadValue {
        var fields: [String: PayloadValue] = [:]
        var required: [PayloadValue] = []
        for line in lines.split(separator: "\n").map(SchemaLine.init) {
            if !line.mayBeLeftOut { required.append(.text(line.name)) }
            fields[line.name] = Self.type(line.type, line.words)
        }
        return .object([
            "type": .text("object"), "properties": .object(fields), "required": .array(required),
        ])
    }

    static func type(_ text: some StringProtocol, _ words: String? = nil) -> PayloadValue {
        var schema = plain(String(text))
        if let words { schema["description"] = .text(words) }
        return .object(schema)
    }

    private static func plain(_ text: String) -> [String: PayloadValue] {
        if text.hasSuffix("?") {
            let inner = PayloadValue.object(plain(String(text.dropLast())))
            return ["anyOf": .array([inner, .object(["type": .text("null")])])]
        }
        let inner = String(text.dropFirst().dropLast())
        switch text.first {
        case "[": return ["type": .text("array"), "items": type(inner)]
        case "{": return ["type": .text("object"), "additionalProperties": type(inner)]
        default: break
        }
        switch text {
        case "text": return ["type": .text("string")]
        case "whole": return ["type": .text("integer")]
        case "number": return ["type": .text("number")]
        case "flag": return ["type": .text("boolean")]
        case "time": return ["type": .text("string"), "format": .text("date-time")]
        case "id": return ["type": .text("string"), "format": .text("uuid")]
        case "any": return [:]
        default: return ["$ref": .text("#/components/schemas/\(text)")]
        }
    }
}

/// `name: type  words`
struct SchemaLine {
    let name: String
    let mayBeLeftOut: Bool
    let type: String
    let words: String?

    init(_ line: some StringProtocol) {
        let parts = String(line).split(separator: ":", maxSplits: 1).map(String.init)
        mayBeLeftOut = parts[0].hasSuffix("?")
        name = mayBeLeftOut ? String(parts[0].dropLast()) : parts[0]
        let rest = parts[1].drop { $0 == " " }
        if let gap = rest.firstRange(of: "  ") {
            type = String(rest[..<gap.lowerBound])
            words = String(rest[gap.upperBound...])
        } else {
            (type, words) = (String(rest), nil)
        }
    }
}
