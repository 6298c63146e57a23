// docs/rules.md

import TenureFoundation

/// What a check looks at, what counts as well, and what its requests say. Kept with the check's
/// options, and with those of a site that is watched: every worker goes by them.
///
/// Patterns are for whole URLs; `*` in them stands for any text. No secret is in here: rules say
/// where a worker finds it.
public struct CheckRules: Sendable, Codable, Hashable {
    /// URLs that are looked at whatever `exclude` says. Without any `exclude` nothing else is.
    public var include: [String] = []
    /// URLs that nobody is asked for; of a folder also paths below it.
    public var exclude: [String] = []
    /// The foreign URLs that are looked at; empty for all.
    public var foreign: [String] = []
    /// Statuses that count as well, beside those that do so anyway.
    public var accept: [AcceptRule] = []
    /// What requests say beyond their URL.
    public var requests: [RequestRule] = []
    /// Findings that don't count.
    public var ignore: [KeptIgnoreRule] = []
    /// Stands before the worker's own name, and doesn't replace it.
    public var userAgent: String?
    /// Whether fragments are looked for in the pages that they point into.
    public var checksFragments = true
    /// What else of links is looked at.
    public var aspects = CheckAspects()

    public init() {}

    /// Of all lists: no site has more that a person wrote.
    static let most = 1000

    /// - Throws: `ContentError` with `.badOption`, naming the rule.
    public func validated() throws -> CheckRules {
        for (name, list) in [("include", include), ("exclude", exclude), ("foreign", foreign)] {
            try Bounds.check("\(name)'s count", list.count, 0...Self.most)
            for pattern in list { try Self.check(pattern: pattern, of: name) }
        }
        try Bounds.check("accept's count", accept.count, 0...Self.most)
        try Bounds.check("requests' count", requests.count, 0...100)
        try Bounds.check("ignore's count", ignore.count, 0...Self.most)
        for rule in accept { try rule.validate() }
        for rule in requests { try rule.validate() }
        for rule in ignore { try rule.validate() }
        try userAgent.map(Self.check(userAgent:))
        return self
    }

    /// - Throws: `ContentError` with `.badOption`.
    public static func check(pattern: String, of name: String) throws {
        try Bounds.check("\(name)'s length", pattern.utf8.count, 1...IgnoreRules.longestPattern)
        guard pattern.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw ContentError(
                .badOption,
                "\(name) has a pattern with a space or a control character in it; write a space "
                    + "in a URL as %20")
        }
        guard URLRedaction.reference(pattern) == pattern else {
            throw ContentError(
                .badOption,
                "\(name) has a pattern with a secret in it; put * in the secret's place")
        }
    }

    /// - Throws: `ContentError` with `.badOption`.
    public static func check(userAgent: String) throws {
        try Bounds.check("userAgent's length", userAgent.utf8.count, 1...500)
        guard userAgent.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw ContentError(
                .badOption,
                "userAgent has more than printable ASCII in it; give plain text, in one line")
        }
    }

    /// Whether two checks by these rules look at the same things: what is ignored is told apart
    /// later.
    func looksAtTheSame(as other: CheckRules) -> Bool {
        include == other.include && exclude == other.exclude && foreign == other.foreign
            && checksFragments == other.checksFragments && aspects == other.aspects
    }
}
