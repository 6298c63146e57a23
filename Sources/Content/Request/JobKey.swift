import TenureFoundation
import Web

/// Keys of the product's jobs. A key has at most 1,024 bytes and shows no secret: the end of a
/// longer one, and what was redacted, is replaced by a number that depends on all of it.
enum JobKey {
    private static let longest = 1000

    /// - Parameter url: as somebody wrote it; what is none stays as it is.
    static func make(_ mode: String, _ url: String, run: UUID? = nil) -> String {
        let url = WebURL(url)?.withoutFragment.href ?? url
        let key = (run.map { "\($0.uuidString.lowercased()) " } ?? "") + "\(mode) \(url)"
        let shown = URLRedaction.text(key)
        guard key.utf8.count > longest || shown != key else { return key }
        let kept = String(decoding: shown.utf8.prefix(longest - 40), as: UTF8.self)
        return "\(kept)…\(String(fnv1a(key), radix: 36))"
    }

    /// FNV-1a over 128 bits: the same in every process.
    private static func fnv1a(_ text: String) -> UInt128 {
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
        let basis: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        return text.utf8.reduce(basis) { hash, byte in (hash ^ UInt128(byte)) &* prime }
    }
}
