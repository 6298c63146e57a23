package import Tenure
package import TenureFoundation

/// Which items a list is of.
public struct ItemFilter: Sendable {
    public var outcome: FetchOutcome?
    /// How their URLs begin.
    public var prefix: String?
    /// Only those whose content is doubted, or has a candidate beside it.
    public var isDoubted = false
    public var limit = 50
    /// Only those behind this one: the last of a list, for the one that follows.
    package var after: TimedPlace<UUID>?

    public init() {}
}
