/// A value of a document, and where it stands.
public struct YAMLNode: Sendable, Hashable {
    public enum Content: Sendable, Hashable {
        /// - Parameter isPlain: written without quotes: it may be meant as a number or a word.
        case text(String, isPlain: Bool)
        case list([YAMLNode])
        /// In the order of the document; no key stands twice.
        case map([YAMLEntry])
    }

    public let content: Content
    public let place: YAMLPlace

    public init(_ content: Content, at place: YAMLPlace) {
        (self.content, self.place) = (content, place)
    }
}

/// A key of a map and what it stands for.
public struct YAMLEntry: Sendable, Hashable {
    public let key: String
    public let place: YAMLPlace
    public let value: YAMLNode
}

/// A place in a document: lines and columns begin with 1; columns count characters.
public struct YAMLPlace: Sendable, Hashable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
}

/// Why a text can't be read: one line that says what to do instead.
public struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
    public let place: YAMLPlace
    public let problem: String

    public init(_ place: YAMLPlace, _ problem: String) {
        (self.place, self.problem) = (place, problem)
    }

    public var description: String { "\(place.line):\(place.column): \(problem)" }
}
