/// Bytes on their way to the server; integers go in network order.
public struct PostgresBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    init() {}

    public mutating func append(_ integer: some FixedWidthInteger) {
        withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }

    public mutating func append(contentsOf new: some Sequence<UInt8>) {
        bytes.append(contentsOf: new)
    }

    /// Appends what `body` writes, behind its length as four bytes.
    mutating func appendSized(_ body: (inout PostgresBuffer) throws -> Void) throws {
        let start = bytes.count
        append(Int32(0))
        try body(&self)
        let size = Int32(bytes.count - start - 4).bigEndian
        withUnsafeBytes(of: size) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }

    /// Appends `count` bytes that `body` fills.
    mutating func append(count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        bytes.withUnsafeMutableBytes { body(.init(rebasing: $0[start...])) }
    }
}

extension RawSpan {
    /// The integer in network order at `offset`, which must lie inside.
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int = 0, as: Integer.Type = Integer.self
    ) -> Integer {
        Integer(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Integer.self))
    }

    /// The whole as an integer of exactly that size.
    func onlyInteger<Integer: FixedWidthInteger & BitwiseCopyable>(
        as: Integer.Type = Integer.self
    ) throws -> Integer {
        guard byteCount == MemoryLayout<Integer>.size else {
            throw PostgresError(.decodingFailed, "\(byteCount) bytes are not a \(Integer.self)")
        }
        return integer()
    }
}

extension PostgresError {
    static func mismatch(_ type: PostgresType, _ wanted: Any.Type) -> PostgresError {
        PostgresError(
            .decodingFailed, "\(type) can't be read as \(wanted)", hint: "Cast it in the SQL")
    }
}
