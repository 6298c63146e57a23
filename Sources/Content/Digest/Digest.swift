import TenureFoundation

/// `content.digest`: the name of a URL, an anchor or any text.
package enum Digest {
    static func id(of text: String) -> UUID {
        var text = text
        return text.withUTF8 { bytes in
            SHA256.withDigest(of: UnsafeRawBufferPointer(bytes)) {
                UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
            }
        }
    }

    /// The whole of it, for those who need more than a name.
    package static func sha256(of text: String) -> [UInt8] { SHA256.digest(Array(text.utf8)) }
}

extension [UInt8] {
    package var hex: String {
        flatMap { [$0 >> 4, $0 & 15] }.reduce(into: "") { $0 += String($1, radix: 16) }
    }
}
