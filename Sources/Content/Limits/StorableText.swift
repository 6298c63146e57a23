import TenureSystem

extension String {
    private static let longestStored = 2000

    /// Whether it may be the start of a text that was longer.
    var mayBeCut: Bool { count >= Self.longestStored }

    /// PostgreSQL has no text with one.
    var hasNUL: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        } ?? utf8.contains(0)
    }

    /// As PostgreSQL takes it, and not longer than anybody reads.
    var storable: String {
        let short = utf8.count > Self.longestStored ? String(prefix(Self.longestStored)) : self
        return short.hasNUL ? short.replacing("\0", with: "\u{FFFD}") : short
    }
}
