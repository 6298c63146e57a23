/// An encoding that a body may be wrapped in, by its registered name (RFC 9110, 8.4.1).
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstd

    /// What is asked for; deflate last, because servers disagree about what it is.
    static let accepted = "gzip, br, zstd, deflate"

    init?(name: String) {
        let name = name.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }

    func makeDecoder() -> (any StreamDecoder)? {
        switch self {
        case .gzip: InflateDecoder(.gzip)
        case .deflate: InflateDecoder(.zlibOrRaw)
        case .brotli: BrotliDecoder()
        case .zstd: ZstdDecoder()
        }
    }
}
