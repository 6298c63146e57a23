package import Tenure
package import TenureFoundation

/// Which items a list is of.
public struct ItemFilter: Sendable {
    public var outcome: FetchOutcome?
    /// How their URLs begin.
    public var prefix: String?
    /// What their title says, or their text: each by itself has all of these words, one of two with
    /// `or` between them, none with a `-` before it, and words in quotes side by side. At most
    /// 1,000 bytes. For this, ``ItemWords`` has to be on.
    public var words: String?
    /// Only those whose content is doubted, or has a candidate beside it that nobody has refused.
    public var isDoubted = false
    public var limit = 50
    /// Only those behind this one: the last of a list, for the one that follows.
    package var after: TimedPlace<UUID>?

    public init() {}
}
