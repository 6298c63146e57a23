package import TenureFoundation

/// Where a list goes on that is in the order of times, the latest first, and of ids.
package struct TimedPlace<ID: Sendable>: Sendable {
    /// Of the last row; nil: it has none yet, and stands before all that have.
    package let at: Date?
    package let id: ID

    package init(at: Date?, id: ID) { (self.at, self.id) = (at, id) }
}
