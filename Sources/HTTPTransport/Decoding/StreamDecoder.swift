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
