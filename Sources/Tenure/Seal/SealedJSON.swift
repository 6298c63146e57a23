// docs/decisions/encryption.md

import TenureFoundation

/// The stored form of what a codec has encoded, as JSON:
/// `{"tenure:sealed": {"key": "2026", "job": "0199…", "box": "base64…"}}`.
///
/// Without `job` it belongs to whichever job of its kind has its key. What is in it decides
/// nothing: the codec has bound the box to its context.
package struct SealedJSON: Codable, Sendable {
    package static let name = "tenure:sealed"
    private static let quotedName = "\"\(name)\""
    private static let start = "{\(quotedName):"

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D
    }

    private struct Content: Codable {
        let key: String
        let job: JobID?
        let box: String
    }
    private enum CodingKeys: String, CodingKey { case content = "tenure:sealed" }
    private let content: Content

    package var key: String { content.key }
    /// The job that it was sealed for; nil: it belongs to a key.
    package var job: JobID? { content.job }
    /// Nil where it isn't base64.
    package var encoded: EncodedPayload? {
        Data(base64Encoded: content.box).map { EncodedPayload(key: key, bytes: Array($0)) }
    }

    package init(_ encoded: EncodedPayload, of owner: PayloadContext.Owner) {
        let job: JobID? = if case .job(let id) = owner { id } else { nil }
        content = Content(
            key: encoded.key, job: job, box: Data(encoded.bytes).base64EncodedString())
    }

    /// Whether JSON, as the database or this type writes it, is of this form. A look at its first
    /// bytes.
    package static func isSealed(_ json: String) -> Bool {
        json.utf8.starts(with: start.utf8)
    }

    /// Whether JSON that somebody wrote would be of this form in the database.
    package static func looksSealed(_ json: String) -> Bool {
        let start = json.utf8.drop(while: isSpace)
        guard start.first == UInt8(ascii: "{") else { return false }
        return start.dropFirst().drop(while: isSpace).starts(with: quotedName.utf8)
    }

    /// - Returns: nil where it is not, or something else stands in it.
    package init?(_ json: String) {
        guard Self.isSealed(json) else { return nil }
        // Reason for `try?`: whatever is wrong with it, nobody can open it.
        let read = try? JSONDecoder().decode(Self.self, from: Data(json.utf8))
        guard let read, KeyNames.isGood(read.key) else { return nil }
        self = read
    }

    package func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// What is shown of JSON: itself, or, where it is sealed, a JSON string that says with which
    /// key.
    package static func shown(_ json: String) -> String {
        guard isSealed(json) else { return json }
        let words = SealedJSON(json).map { "sealed with key \($0.key)" } ?? "sealed, and unreadable"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        // Reason for `try?`: a text always encodes.
        return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}
