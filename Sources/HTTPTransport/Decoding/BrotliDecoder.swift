import TenureCodecs

/// The brotli library's decoder (RFC 7932): its window is at most 16 MiB.
final class BrotliDecoder: StreamDecoder {
    private let state: OpaquePointer
    private var hasEnded = false

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws -> DecodingStep {
        guard !hasEnded else {
            return DecodingStep(consumed: input.count, produced: 0, isAtEnd: true)
        }
        var inputLeft = input.count
        var next = input.bindMemory(to: UInt8.self).baseAddress
        var outputLeft = output.count
        var target = output.bindMemory(to: UInt8.self).baseAddress
        let result = BrotliDecoderDecompressStream(
            state, &inputLeft, &next, &outputLeft, &target, nil)
        guard result != BROTLI_DECODER_RESULT_ERROR else {
            let words = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state))
            throw BrokenStream(detail: words.map { String(cString: $0) } ?? "not brotli")
        }
        hasEnded = result == BROTLI_DECODER_RESULT_SUCCESS
        return DecodingStep(
            consumed: input.count - inputLeft, produced: output.count - outputLeft,
            isAtEnd: hasEnded)
    }
}
