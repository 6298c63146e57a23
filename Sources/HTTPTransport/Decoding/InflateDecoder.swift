import TenureCodecs

/// zlib's decoder: gzip, and what calls itself deflate.
final class InflateDecoder: StreamDecoder {
    enum Format {
        case gzip
        /// RFC 9110 means zlib's format; some servers send the bare one (RFC 1951).
        case zlibOrRaw
    }

    /// zlib keeps a pointer back to it, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: Format
    private var isRunning = false
    private var isBetweenMembers = false

    init(_ format: Format) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isRunning { inflateEnd(stream) }
        stream.deallocate()
    }

    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws -> DecodingStep {
        if isBetweenMembers, let step = try nextMember(input) { return step }
        if !isRunning { try begin(input) }
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let code = inflate(stream, Z_NO_FLUSH)
        // Z_BUF_ERROR: nothing could be done without more input, which is no fault.
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) else {
            throw BrokenStream(
                detail: stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
        isBetweenMembers = code == Z_STREAM_END
        return DecodingStep(
            consumed: input.count - Int(stream.pointee.avail_in),
            produced: output.count - Int(stream.pointee.avail_out), isAtEnd: isBetweenMembers)
    }

    /// A gzip file may have several members (RFC 1952, 2.2); anything else that follows is padding.
    private func nextMember(_ input: UnsafeRawBufferPointer) throws -> DecodingStep? {
        guard format == .gzip, let first = input.first, first == 0x1F else {
            return DecodingStep(consumed: input.count, produced: 0, isAtEnd: true)
        }
        isBetweenMembers = false
        guard inflateReset(stream) == Z_OK else { throw BrokenStream(detail: "zlib can't reset") }
        return nil
    }

    private func begin(_ input: UnsafeRawBufferPointer) throws {
        let largestWindow: Int32 = 15
        let bits =
            switch format {
            case .gzip: largestWindow + 16  // zlib's way to say gzip
            case .zlibOrRaw: Self.isZlib(input) ? largestWindow : -largestWindow
            }
        guard tenure_inflate_init(stream, bits) == Z_OK else {
            throw BrokenStream(detail: "zlib has no memory")
        }
        isRunning = true
    }

    /// RFC 1950's first byte: method 8, a window of at most 32 KiB. A bare stream that begins so
    /// would be a stored block with padding that no encoder writes.
    private static func isZlib(_ input: UnsafeRawBufferPointer) -> Bool {
        guard let first = input.first, first & 0x0F == 8, first >> 4 <= 7 else { return false }
        return input.count < 2 || (Int(first) << 8 | Int(input[1])) % 31 == 0
    }
}
