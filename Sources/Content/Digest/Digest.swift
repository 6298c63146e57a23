import FoundationEssentials

/// `content.digest`: the name of a URL, an anchor or any text.
package enum Digest {
    static func id(of text: String) -> UUID {
        let b = SHA256.digest(Array(text.utf8))
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
                b[13], b[14], b[15]
            ))
    }

    /// The whole of it, for those who need more than a name.
    package static func sha256(of text: String) -> [UInt8] { SHA256.digest(Array(text.utf8)) }
}

extension [UInt8] {
    package var hex: String {
        flatMap { [$0 >> 4, $0 & 15] }.reduce(into: "") { $0 += String($1, radix: 16) }
    }
}
