/// A file that is packed with gzip by itself, and not by the transfer: a sitemap, `.xml.gz`.
public enum GzipFile {
    /// Why it can't be unpacked, in one line.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    public static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Unpacks all of it, or nothing: never more than `most` bytes are held.
    /// - Throws: ``Failure`` for what is broken, cut off, or larger than that.
    public static func unpack(_ bytes: [UInt8], most: Int) throws(Failure) -> [UInt8] {
        let decoder = InflateDecoder(.gzip)
        var (rest, unpacked) = (bytes[...], [UInt8]())
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var isAtEnd = false
        while !rest.isEmpty {
            let step: DecodingStep
            do {
                step = try rest.withUnsafeBytes { input in
                    try piece.withUnsafeMutableBytes { try decoder.decode(input, into: $0) }
                }
            } catch {
                throw Failure(description: "the gzip file is broken")
            }
            unpacked += piece[..<step.produced]
            guard unpacked.count <= most else {
                throw Failure(description: "the gzip file has more than \(most) bytes unpacked")
            }
            rest = rest.dropFirst(step.consumed)
            isAtEnd = step.isAtEnd
            if step.consumed == 0, step.produced == 0 { break }
        }
        guard isAtEnd else { throw Failure(description: "the gzip file is cut off") }
        return unpacked
    }
}
