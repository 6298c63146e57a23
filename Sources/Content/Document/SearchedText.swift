import Glibc

/// Text that is searched for many words, byte by byte: characters cost twenty times as much.
struct SearchedText {
    private let bytes: ArraySlice<UInt8>

    init(_ text: String) { bytes = Array(text.utf8)[...] }
    init(_ text: ArraySlice<UInt8>) { bytes = text }

    func has(_ word: StaticString) -> Bool {
        let (start, count) = (word.utf8Start, word.utf8CodeUnitCount)
        return bytes.withUnsafeBytes { text in
            var rest = text[...]
            while rest.count >= count, let first = rest.firstIndex(of: start.pointee) {
                rest = rest[first...]
                guard rest.count >= count else { return false }
                if memcmp(text.baseAddress! + first, start, count) == 0 { return true }
                rest = rest.dropFirst()
            }
            return false
        }
    }
}
