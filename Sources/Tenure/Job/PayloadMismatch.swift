/// Why a payload is none of its kind, in words that its producer knows: the field, and what it
/// lacks.
package enum PayloadMismatch {
    /// - Parameter isSecret: the content is sealed where it is stored, so nothing of it is
    ///   repeated: neither a value nor a key, which may be one of a dictionary, nor what the type's
    ///   own decoding says.
    package static func text(_ error: any Error, isSecret: Bool) -> String {
        guard isSecret else { return text(error) }
        let what =
            switch error {
            case DecodingError.keyNotFound(let key, _): "field \(key.stringValue) is missing"
            case DecodingError.typeMismatch(let type, _): "a field is no \(type)"
            case DecodingError.valueNotFound(let type, _):
                "a field is null; a \(type) is wanted"
            case DecodingError.dataCorrupted: "a field has a value that its type hasn't"
            default: "its decoding threw \(type(of: error))"
            }
        return what + " (sealed: no more is told)"
    }

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
