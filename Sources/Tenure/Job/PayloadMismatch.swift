/// Why a payload is none of its kind, in words that its producer knows: the field, and what it
/// lacks.
package enum PayloadMismatch {
    package static func text(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            "\(path(context.codingPath + [key])) is missing"
        case DecodingError.typeMismatch(let type, let context):
            "\(path(context.codingPath)) is no \(type)"
        case DecodingError.valueNotFound(let type, let context):
            "\(path(context.codingPath)) is null; a \(type) is wanted"
        case DecodingError.dataCorrupted(let context):
            "\(path(context.codingPath)): \(context.debugDescription)"
        default: "\(error)"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce("payload") { path, key in
            path + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)")
        }
    }
}
