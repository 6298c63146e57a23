/// What a check covers.
public enum CheckKind: String, Sendable, Codable {
    /// Every page of a site, and all they refer to.
    case site
    /// What the starting pages refer to.
    case links
}
