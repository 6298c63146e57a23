/// An encoding that a body may be wrapped in, by its registered name (RFC 9110, 8.4.1).
enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    case deflate
    case brotli = "br"
    case zstd

    /// What is asked for. Deflate is decoded but not asked for first: servers disagree about it.
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

/// One decoder at work: pure computation, a bounded piece of it at a time.
protocol StreamDecoder: AnyObject {
    /// Decodes from `input` into `output` until one of them is used up, or the stream has ended.
    /// - Throws: ``BrokenStream``.
    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws -> DecodingStep
}

struct DecodingStep: Hashable {
    var consumed: Int
    var produced: Int
    /// What may follow is no part of the stream, or begins another.
    var isAtEnd: Bool
}

struct BrokenStream: Error {
    var detail: String
}
