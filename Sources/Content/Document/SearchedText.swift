import Glibc

/// Text that is searched for many words, byte by byte: characters cost twenty times as much.
struct SearchedText {
    private let bytes: ArraySlice<UInt8>

    init(_ text: String) { bytes = Array(text.utf8)[...] }
    init(_ text: ArraySlice<UInt8>) { bytes = text }

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
