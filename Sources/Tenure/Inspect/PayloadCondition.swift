import TenureFoundation

/// What is asked of payloads, as people write it: `user=17`, `address.city=Bonn`.
///
/// What follows the first `=` is JSON where it is any, and a text else; a field of an object is
/// named behind a dot.
package struct PayloadCondition {
    private var value: String?
    private var fields: [String: PayloadCondition] = [:]

    /// All of them as one JSON object, for ``JobFilter/payload``; nil where there is none.
    /// - Throws: `TenureError` with `.invalidJob`.
    package static func json(_ texts: [String]) throws -> String? {
        if texts.isEmpty { return nil }
        var all = PayloadCondition()
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw TenureError(
                    .invalidJob,
                    "\"\(text.prefix(100))\" names no field; give a field and a value, such as "
                        + "user=17 or address.city=Bonn")
            }
            let path = text[..<sign].split(separator: ".", omittingEmptySubsequences: false)
            let isNew = all.set(path[...], to: raw(String(text[text.index(after: sign)...])))
            guard isNew, !path.contains("") else {
                throw TenureError(
                    .invalidJob,
                    "the field \"\(text[..<sign].prefix(100))\" "
                        + (isNew ? "has an empty part" : "is given twice") + "; give each once")
            }
        }
        return all.json
    }

    /// Whether nobody has set it, or a part of it, before.
    private mutating func set(_ path: ArraySlice<Substring>, to value: String) -> Bool {
        guard let first = path.first else {
            defer { self.value = value }
            return self.value == nil && fields.isEmpty
        }
        if self.value != nil { return false }
        return fields[String(first), default: PayloadCondition()].set(path.dropFirst(), to: value)
    }

    private var json: String {
        if let value { return value }
        let parts = fields.sorted { $0.key < $1.key }.map { name, field in
            "\(JobsJSON.quoted(name)):\(field.json)"
        }
        return "{\(parts.joined(separator: ","))}"
    }

    private static func raw(_ text: String) -> String {
        // Reason for `try?`: what is no JSON is a text.
        let value = try? JSONDecoder().decode(PayloadValue.self, from: Data(text.utf8))
        return value == nil ? JobsJSON.quoted(text) : text
    }
}
