package import TenurePostgres

/// Where a job's row lay when it was claimed. Only a hint, which saves a look into an index: a row
/// may have moved, and what is found there is checked by id and fence.
package struct RowPlace: Hashable, Sendable {
    fileprivate let page: UInt32
    fileprivate let line: UInt16
}

/// PostgreSQL's `tid`.
extension RowPlace: PostgresValue, PostgresArrayElement {
    package static var postgresType: PostgresType { PostgresType(rawValue: 27) }
    package static var postgresArrayType: PostgresType { PostgresType(rawValue: 1010) }

    package func encode(into buffer: inout PostgresBuffer) throws {
        buffer.append(page)
        buffer.append(line)
    }

    package init(postgres bytes: RawSpan, type: PostgresType) throws {
        guard type == Self.postgresType, bytes.byteCount == 6 else {
            throw PostgresError(.decodingFailed, "the place of a row is no tid")
        }
        page = UInt32(bigEndian: bytes.unsafeLoadUnaligned(as: UInt32.self))
        line = UInt16(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt16.self))
    }
}
