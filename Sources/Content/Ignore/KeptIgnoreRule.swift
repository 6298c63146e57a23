public import TenureFoundation

/// An `IgnoreRule` that belongs to one check, or to a site: it stands in a file, and not in the
/// database's list.
public struct KeptIgnoreRule: Sendable, Codable, Hashable {
    public var target: String
    public var code: String?
    public var page: String?
    public var reason: String
    public var until: String?
    /// Where it was written: `links.yaml:12`.
    public var source: String
    public var madeBy: String
    public var madeAt: Date

    public init(
        target: String, code: String? = nil, page: String? = nil, reason: String,
        until: String? = nil, source: String, madeBy: String, madeAt: Date = Date()
    ) {
        (self.target, self.code, self.page) = (target, code, page)
        (self.reason, self.until, self.source) = (reason, until, source)
        (self.madeBy, self.madeAt) = (madeBy, madeAt)
    }

    /// - Throws: `ContentError` with `.badOption` for a text that names no day.
    public static func check(until day: String) throws { try IgnoreRules.requireDay(day) }

    /// - Throws: `ContentError` with `.badOption`, naming the part.
    public func validate() throws {
        try IgnoreRules.check(
            target: target, code: code, page: page, reason: reason, by: madeBy, until: until)
        try Bounds.check("source's length", source.utf8.count, 1...IgnoreRules.longestPattern)
        guard !source.utf8.contains(0) else {
            throw ContentError(.badOption, "source has a NUL in it; leave it out")
        }
    }
}
