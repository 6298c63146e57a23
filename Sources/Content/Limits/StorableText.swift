extension String {
    private static let longestStored = 2000

    /// Whether it may be the start of a text that was longer.
    var mayBeCut: Bool { count >= Self.longestStored }

    /// As PostgreSQL takes it, and not longer than anybody reads.
    var storable: String {
        let short = utf8.count > Self.longestStored ? String(prefix(Self.longestStored)) : self
        return short.utf8.contains(0) ? short.replacing("\0", with: "\u{FFFD}") : short
    }
}
