/// The binary format of COPY: a signature, the rows with their values behind their lengths, an end.
struct CopyFile {
    private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 13, 10, 0]

    private var buffer = PostgresBuffer()

    init() {
        buffer.append(contentsOf: Self.signature)
        buffer.append(Int32(0))
        buffer.append(Int32(0))
    }

    mutating func append(_ row: PostgresParameters) {
        buffer.append(Int16(row.count))
        var offset = 0
        for length in row.lengths {
            buffer.append(length)
            let end = offset + Int(max(length, 0))
            buffer.append(contentsOf: row.buffer.bytes[offset..<end])
            offset = end
        }
    }

    consuming func finished() -> [UInt8] {
        buffer.append(Int16(-1))
        return buffer.bytes
    }
}
