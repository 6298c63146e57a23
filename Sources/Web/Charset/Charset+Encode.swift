import TenureSystem

extension Charset {
    /// Encodes what a document writes into the query of a URL: in the document's own encoding, as
    /// browsers do (URL standard, section 1.3, "percent-encode after encoding"). What that lacks
    /// becomes the number of its character.
    func encodedQuery(_ query: ArraySlice<UInt8>) -> [UInt8] {
        let isUnicode = ["utf-8", "utf-16le", "utf-16be", "replacement"].contains(name)
        guard !isUnicode, query.contains(where: { $0 >= 0x80 }) else { return Array(query) }
        let converter = iconv_open(System.iconvName(iconvName), "UTF-8")
        // iconv_open fails with (iconv_t) -1: x-user-defined, which nobody writes.
        guard let converter, Int(bitPattern: converter) != -1 else { return Array(query) }
        defer { iconv_close(converter) }
        var result: [UInt8] = []
        for scalar in String(decoding: query, as: UTF8.self).unicodeScalars {
            result +=
                Self.encode(Array(String(scalar).utf8), by: converter)
                ?? Array("%26%23\(scalar.value)%3B".utf8)
        }
        // Back to ASCII, where an encoding has states.
        return result + (Self.encode([], by: converter) ?? [])
    }

    /// - Returns: nil for what the encoding doesn't have.
    private static func encode(_ bytes: [UInt8], by converter: iconv_t) -> [UInt8]? {
        var input = bytes.map { CChar(truncatingIfNeeded: $0) }
        var output = [CChar](repeating: 0, count: 32)
        let count = output.count
        var room = count
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var next = bytes.isEmpty ? nil : input.baseAddress
                var left = input.count
                var target = output.baseAddress
                return iconv(converter, &next, &left, &target, &room)
            }
        }
        return status == -1
            ? nil : output.prefix(count - room).map { UInt8(truncatingIfNeeded: $0) }
    }
}
