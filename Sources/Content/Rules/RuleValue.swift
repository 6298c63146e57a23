/// A text, or where a worker finds one that nobody else may see.
public enum RuleValue: Sendable, Hashable, Codable {
    case text(String)
    case secret(SecretReference)

    /// What somebody wrote: `env:NAME` and `file:NAME` are references.
    /// - Throws: `ContentError` with `.badOption` for a variable or file that can't be named.
    public init(_ written: String) throws {
        self = try SecretReference(written: written).map { .secret($0) } ?? .text(written)
    }

    var isSecret: Bool {
        if case .secret = self { true } else { false }
    }

    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .secret(let secret): try container.encode(secret.description)
        }
    }
}

extension SecretReference {
    /// What to do with a secret that stands where everybody reads it.
    static let remedy =
        "give env:\(ChannelSecrets.prefix)NAME, a variable of the worker's environment, or "
        + "file:NAME, a file in its folder of secrets"

    /// - Returns: nil for a text that is no reference.
    /// - Throws: `ContentError` with `.badOption` for one that can't be named.
    init?(written text: String) throws {
        if text.hasPrefix("env:") {
            try self.init(variable: String(text.dropFirst(4)))
        } else if text.hasPrefix("file:") {
            try self.init(file: String(text.dropFirst(5)))
        } else {
            return nil
        }
    }
}
