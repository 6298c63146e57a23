package import Tenure
package import TenureFoundation

/// What tells a row of a list from all others, and where it stands among them, as an address says
/// it: the part of a list that follows begins behind it.
package protocol ListKey: Sendable {
    /// Nil for what is no key.
    init?(key: String)
    var key: String { get }
}

extension UUID: ListKey {
    package init?(key: String) { self.init(uuidString: key) }
    package var key: String { uuidString.lowercased() }
}

extension JobID: ListKey {
    package init?(key: String) { self.init(key) }
    package var key: String { "\(self)" }
}

/// Of rows that have ascending numbers.
extension Int64: ListKey {
    package init?(key: String) {
        guard let number = Int64(key), number >= 0, "\(number)" == key else { return nil }
        self = number
    }
    package var key: String { "\(self)" }
}

/// Of rows that have names, in the order of the database's.
package struct NameKey: ListKey, Comparable {
    package let name: String
    /// Longer than a URL may be.
    private static let longest = 10_000

    package init(_ name: String) { self.name = name }

    package init?(key: String) {
        guard key.utf8.count <= Self.longest else { return nil }
        name = key
    }
    package var key: String { name }

    /// By bytes, as `COLLATE "C"` has it.
    package static func < (one: NameKey, other: NameKey) -> Bool {
        one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
    }

    package static func == (one: NameKey, other: NameKey) -> Bool {
        one.name.utf8.elementsEqual(other.name.utf8)
    }
}

/// `1732720000123456.7`: microseconds since 1970 and the row's id; `.7` where it has no time.
extension TimedPlace: ListKey where ID: ListKey {
    /// Until the year 9999.
    private static var latest: Int64 { 253_402_300_800_000_000 }

    package init?(key: String) {
        let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = ID(key: String(parts[1])) else { return nil }
        if parts[0].isEmpty {
            self.init(at: nil, id: id)
            return
        }
        guard let time = Int64(key: String(parts[0])), time < Self.latest else { return nil }
        self.init(at: Date(timeIntervalSince1970: Double(time) / 1_000_000), id: id)
    }

    package var key: String {
        let time = at.map { "\(Int64(($0.timeIntervalSince1970 * 1_000_000).rounded()))" }
        return "\(time ?? "").\(id.key)"
    }
}

extension SessionID: ListKey {
    package init?(key: String) {
        guard let number = Int64(key: key) else { return nil }
        self.init(number)
    }
    package var key: String { rawValue.key }
}
