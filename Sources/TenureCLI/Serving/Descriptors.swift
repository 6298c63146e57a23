import TenureSystem

/// How many files and sockets this process may have open.
enum Descriptors {
    /// More than any part needs, and few enough for programs that count through them all.
    private static let most = 65_536

    /// Raises the soft limit to the hard one: the soft one is kept low for programs that use
    /// `select`, and nothing here does.
    /// - Returns: how many there may be now.
    @discardableResult
    static func raise() -> Int { System.raiseDescriptors(most: most) ?? 256 }
}
