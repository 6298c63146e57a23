import TenureFoundation

/// What of a kind's payloads is not to be shown: see `Job.secretFields`.
public struct SecretFields: Sendable, Hashable {
    /// Names as in the payload's JSON, `card.number` for one inside another.
    public let fields: [String]
    private let paths: [[Substring]]

    /// What stands where something is not shown.
    public static let mask = "…"
    /// A shorter value is in too many texts to be taken out of them all.
    private static let shortest = 4

    public init(_ fields: [String]) {
        self.fields = fields
        paths = fields.map { $0.split(separator: ".") }
    }

    public func union(_ other: SecretFields) -> SecretFields {
        SecretFields(Set(fields).union(other.fields).sorted())
    }

    /// The same fields in a letter that holds such a payload.
    package var inLetters: SecretFields { SecretFields(fields.map { "letter.payload.\($0)" }) }

    /// The payload with a mask in the place of each such field. One that can't be read is masked
    /// as a whole.
    public func masked(_ payload: String) -> String {
        if fields.isEmpty { return payload }
        do {
            let numbers = SpelledNumbers()
            var value = try Self.read(payload, numbers)
            let texts = texts(in: value, numbers)
            for path in paths { value = value.replacing(path[...]) { _ in .text(Self.mask) } }
            // Another field may repeat one: a message that was made of it.
            value = value.mapTexts {
                numbers.spelling(in: $0) == nil ? Self.veiled($0, texts) : $0
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return numbers.shown(in: String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            return "\"\(Self.mask)\""
        }
    }

    /// A text with a mask wherever it repeats such a value of the payload: as it is, or as a URL or
    /// JSON has it; a number also as `Double` and `Decimal` print it, which round. Values of fewer
    /// than four characters stay.
    package func veiled(_ text: String, of payload: String) -> String {
        if fields.isEmpty { return text }
        let numbers = SpelledNumbers()
        // Reason for `try?`: what can't be read has no field that a handler could have repeated.
        guard let value = try? Self.read(payload, numbers) else { return text }
        return Self.veiled(text, texts(in: value, numbers))
    }

    private static func veiled(_ text: String, _ secrets: [String]) -> String {
        secrets.reduce(text) { $0.replacing($1, with: mask) }
    }

    /// The longest first: one may be a part of another.
    private func texts(in value: PayloadValue, _ numbers: SpelledNumbers) -> [String] {
        var found: Set<String> = []
        for path in paths {
            _ = value.replacing(path[...]) { secret in
                secret.leaves(into: &found, numbers)
                return secret
            }
        }
        let spelled = found.flatMap { [$0, Self.percentEncoded($0), Self.escaped($0)] }
        return Set(spelled).filter { $0.count >= Self.shortest }
            .sorted { ($0.count, $0) > ($1.count, $1) }
    }

    private static func read(
        _ payload: String, _ numbers: SpelledNumbers
    ) throws -> PayloadValue {
        let marked = numbers.marked(in: payload)
        return try JSONDecoder().decode(PayloadValue.self, from: Data(marked.utf8))
    }

    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80
                && (scalar.properties.isAlphabetic
                    || "0123456789-._~".unicodeScalars.contains(scalar))
            let hex = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(scalar) : (byte < 16 ? "%0" : "%") + hex
        }.joined()
    }

    /// As it stands in JSON, without the quotes.
    private static func escaped(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Reason for `try?`: a text always encodes.
        guard let data = try? encoder.encode(text) else { return text }
        return String(String(decoding: data, as: UTF8.self).dropFirst().dropLast())
    }
}

extension PayloadValue {
    /// What stands at a path is replaced; in a list, in each of its members.
    fileprivate func replacing(
        _ path: ArraySlice<Substring>, _ body: (PayloadValue) -> PayloadValue
    ) -> PayloadValue {
        guard let name = path.first.map(String.init) else { return body(self) }
        switch self {
        case .array(let values): return .array(values.map { $0.replacing(path, body) })
        case .object(var members):
            guard let value = members[name] else { return self }
            members[name] = value.replacing(path.dropFirst(), body)
            return .object(members)
        default: return self
        }
    }

    fileprivate func mapTexts(_ body: (String) -> String) -> PayloadValue {
        switch self {
        case .text(let text): .text(body(text))
        case .array(let values): .array(values.map { $0.mapTexts(body) })
        case .object(let members): .object(members.mapValues { $0.mapTexts(body) })
        case .null, .bool, .whole, .number: self
        }
    }

    fileprivate func leaves(into texts: inout Set<String>, _ numbers: SpelledNumbers) {
        switch self {
        case .text(let text):
            if let number = numbers.spelling(in: text) {
                texts.formUnion(SpelledNumbers.prints(of: number))
            } else {
                texts.insert(text)
            }
        case .whole(let number): texts.formUnion(SpelledNumbers.prints(of: "\(number)"))
        case .number(let number): texts.formUnion(SpelledNumbers.prints(of: "\(number)"))
        case .array(let values): for value in values { value.leaves(into: &texts, numbers) }
        case .object(let members):
            for value in members.values { value.leaves(into: &texts, numbers) }
        case .null, .bool: break
        }
    }
}
