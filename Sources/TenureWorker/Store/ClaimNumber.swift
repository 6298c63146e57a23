// docs/decisions/claim-rows.md

package import Tenure

/// A claim, by the number that its claim row has, if there is one.
///
/// Its runs have the fences from there on, at most 1,024 of them (`tenure.claim_of`).
package struct ClaimNumber: Hashable, Comparable, Sendable {
    package let rawValue: Int64
    package static let none = ClaimNumber(rawValue: 0)

    private init(rawValue: Int64) { self.rawValue = rawValue }

    package init(of fence: Fence) {
        rawValue = fence.rawValue - (fence.rawValue - 1) % 1024
    }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}
