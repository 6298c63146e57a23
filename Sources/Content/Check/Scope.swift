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

    /// What the URLs of the site begin with.
    var insidePrefix: String { origin + folder }

    public func place(of url: WebURL) -> Place {
        guard url.origin == origin else { return .foreign }
        return url.path.hasPrefix(folder) ? .inside : .sameOrigin
    }
}

/// What belongs to a check: the scope of its start, and of what else it begins at.
struct CheckScope: Sendable, Hashable {
    let origins: Set<String>
    /// What the URLs begin with that are inside.
    let insides: [String]

    init(start: WebURL, _ reach: CheckReach?) {
        let scope = Scope(start: start)
        origins = Set(reach?.origins ?? []).union([scope.origin])
        // What one URL or folder is, its start says.
        let isSeveral = reach?.isSeveral ?? false
        insides = isSeveral ? reach?.insides ?? [] : [scope.insidePrefix]
    }

    /// With a slash at their ends.
    var originPrefixes: [String] { origins.sorted().map { $0 + "/" } }

    func place(of url: WebURL) -> Scope.Place {
        guard origins.contains(url.origin) else { return .foreign }
        if insides.isEmpty { return .sameOrigin }
        let whole = url.origin + url.path
        return insides.contains { whole.hasPrefix($0) } ? .inside : .sameOrigin
    }
}
