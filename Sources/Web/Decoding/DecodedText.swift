/// A text turned into UTF-8, and how its encoding was known.
public struct DecodedText: Sendable {
    /// What told the encoding, from the strongest to the weakest.
    public enum Evidence: String, Sendable, Codable {
        case byteOrderMark, header, meta, validUTF8, guess
    }

    /// Valid UTF-8 without a byte order mark.
    public let bytes: [UInt8]
    public let charset: Charset
    public let evidence: Evidence

    /// Decodes a body. What can't be decoded becomes U+FFFD.
    /// - Parameters:
    ///   - headerCharset: the `charset` parameter of Content-Type, if there is one.
    ///   - isHTML: whether to look for a `meta` that names the encoding; if not, for an XML
    ///     declaration.
    public init(_ body: [UInt8], headerCharset: String? = nil, isHTML: Bool = true) {
        let (charset, evidence, skipped) = DecodedText.sniff(body, headerCharset, isHTML)
        self.charset = charset
        self.evidence = evidence
        if charset == .utf8, skipped == 0, evidence == .validUTF8 || UTF8Bytes.isValid(body) {
            bytes = body
        } else {
            bytes = charset.decode(body.dropFirst(skipped))
        }
    }

    private static func sniff(
        _ body: [UInt8], _ headerCharset: String?, _ isHTML: Bool
    ) -> (Charset, Evidence, Int) {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, .byteOrderMark, 3) }
        if body.starts(with: [0xFF, 0xFE]) { return (.utf16LE, .byteOrderMark, 2) }
        if body.starts(with: [0xFE, 0xFF]) { return (.utf16BE, .byteOrderMark, 2) }
        if let charset = headerCharset.flatMap({ Charset(label: $0) }) {
            return (charset, .header, 0)
        }
        if isHTML, let charset = CharsetPrescan.scan(body) { return (charset, .meta, 0) }
        if isHTML, let charset = LateMeta.find(body) { return (charset, .meta, 0) }
        if !isHTML, let charset = XMLDeclaration.charset(body) { return (charset, .meta, 0) }
        let guess = CharsetGuess.guess(body)
        return (guess, guess == .utf8 ? .validUTF8 : .guess, 0)
    }
}
