import TenureCodecs

/// zstd's decoder (RFC 8878), with the window that RFC 9659 sets for HTTP: 8 MiB.
final class ZstdDecoder: StreamDecoder {
    private static let largestWindowLog: Int32 = 23

    private let context: OpaquePointer

    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.largestWindowLog)
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws -> DecodingStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = ZSTD_decompressStream(context, &target, &source)
        guard ZSTD_isError(left) == 0 else {
            throw BrokenStream(detail: String(cString: ZSTD_getErrorName(left)))
        }
        return DecodingStep(consumed: source.pos, produced: target.pos, isAtEnd: left == 0)
    }
}
