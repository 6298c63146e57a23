import TenureSystem

/// Text that is searched for many words, byte by byte: characters cost twenty times as much.
struct SearchedText {
    let bytes: ArraySlice<UInt8>

    init(_ text: String) { bytes = Array(text.utf8)[...] }
    init(_ text: ArraySlice<UInt8>) { bytes = text }

    /// The first characters of a text, in lower case. In ASCII, as most are, a character is a byte.
    init(lowercasedStartOf text: String, count: Int) {
        var start: [UInt8] = []
        start.reserveCapacity(count)
        for byte in text.utf8.prefix(count) {
            // One of several bytes, or half of a line's end.
            guard byte < 0x80, byte != 0x0D else {
                self.init(text.prefix(count).lowercased())
                return
            }
            start.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        }
        // What follows may belong to the last one.
        let next = text.utf8.dropFirst(start.count).first
        if let next, next >= 0x80 {
            self.init(text.prefix(count).lowercased())
        } else {
            self.init(start[...])
        }
    }

    func has(_ word: StaticString) -> Bool {
        let (start, count) = (word.utf8Start, word.utf8CodeUnitCount)
        return bytes.withUnsafeBytes { text in
            guard var rest = text.baseAddress else { return false }
            var left = text.count
            // The C library looks at many bytes at once.
            while left >= count, let first = memchr(rest, Int32(start.pointee), left - count + 1) {
                if memcmp(first, start, count) == 0 { return true }
                let next = UnsafeRawPointer(first) + 1
                left -= next - rest
                rest = next
            }
            return false
        }
    }
}
