public import TenureFoundation

/// Findings that don't count: who said so, why, and until when.
///
/// Patterns are for whole texts, and `*` in them stands for any text. A target is compared as
/// reports show it: its URL, with and without the missing anchor, or its file in a folder.
public struct IgnoreRule: Sendable, Hashable, Codable {
    /// Its number in the database's list; nil for one that stands in a file.
    public let id: Int64?
    public let target: String
    /// Only findings of this code.
    public let code: String?
    /// Only places on these pages; a finding's other places count.
    public let page: String?
    public let reason: String
    public let madeBy: String
    public let madeAt: Date
    /// The last day, in UTC: `2027-01-31`. Nil for good.
    public let until: String?
    /// Whether that day is over: the rule holds no longer.
    public let hasEnded: Bool
    /// Where it stands, if that is a file: `links.yaml:12`.
    public internal(set) var source: String?
}
