import Web

/// What a check covers that begins at more than one place: kept with its options.
///
/// The origins of all its places are the checked site's: they are asked as one's own or as somebody
/// else's, each for itself, and what is served from a folder is one of them.
struct CheckReach: Sendable, Codable, Hashable {
    let inputs: [CheckInput]
    /// Beside that of the check's start.
    let origins: [String]
    /// What the URLs begin with that are followed, however far from the start they are.
    let insides: [String]
    /// It is more than one URL, or one folder: all that it begins at is read, wherever it lies.
    let isSeveral: Bool

    /// Every one of them is compared with every URL that is found.
    static let mostInsides = 1_000
    /// Pages that a check begins at, at most, and so origins: what a sitemap has, at most.
    static let mostPages = 50_000
    static let mostInputs = 10_000

    /// - Throws: `ContentError` with `.badOption`, naming the field.
    func validate() throws {
        try Bounds.check("reach.inputs' count", inputs.count, 0...Self.mostInputs)
        try Bounds.check("reach.origins' count", origins.count, 0...Self.mostPages)
        try Bounds.check("reach.insides' count", insides.count, 0...Self.mostInsides)
        for input in inputs {
            try Bounds.check("reach.inputs' pages", input.pages, 0...Self.mostPages)
        }
    }
}

/// Something that a check was asked to begin at, as it was named.
public struct CheckInput: Sendable, Codable, Hashable {
    /// A URL, a path, a pattern, `-`.
    public let name: String
    /// How many pages it named that no input before it had.
    public let pages: Int

    public init(name: String, pages: Int) { (self.name, self.pages) = (name, pages) }
}
