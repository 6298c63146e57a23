public import Web

/// What belongs to the checked site: everything below the folder of the URL it starts at.
public struct Scope: Sendable, Hashable {
    public enum Place: Sendable {
        /// Part of the site: visited, and what it refers to as well.
        case inside
        /// Of the same origin: visited, so that fragments can be checked, and not followed.
        case sameOrigin
        case foreign
    }

    public let origin: String
    public let folder: String

    public init(start: WebURL) {
        origin = start.origin
        folder = start.path.lastIndex(of: "/").map { String(start.path[...$0]) } ?? ""
    }

    /// What the URLs of the site begin with, and those of its origin.
    var insidePrefix: String { origin + folder }
    var originPrefix: String { origin + "/" }

    public func place(of url: WebURL) -> Place {
        guard url.origin == origin else { return .foreign }
        return url.path.hasPrefix(folder) ? .inside : .sameOrigin
    }
}
