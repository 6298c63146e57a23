import HTTPTransport
import Web

/// A sitemap as it lies on servers and disks: as text, or packed with gzip by itself.
enum SitemapFile {
    /// - Parameter charset: what came with it says.
    /// - Returns: one without a format for what is none.
    static func read(_ body: [UInt8], charset: String?) throws(GzipFile.Failure) -> Sitemap {
        Sitemap(try text(body, charset: charset))
    }

    /// In UTF-8.
    static func text(_ body: [UInt8], charset: String?) throws(GzipFile.Failure) -> [UInt8] {
        let plain =
            GzipFile.isOne(body)
            ? try GzipFile.unpack(body, most: SitemapLimits.maxBytes) : body
        return DecodedText(plain, headerCharset: charset, isHTML: false).bytes
    }
}
