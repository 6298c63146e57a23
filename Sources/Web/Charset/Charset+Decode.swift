import TenureSystem

extension Charset {
    /// Decodes to UTF-8; what can't be decoded becomes U+FFFD.
    public func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        switch name {
        case "utf-8": Array(String(decoding: bytes, as: UTF8.self).utf8)
        case "utf-16le": Charset.decodeUTF16(Array(bytes), high: 1)
        case "utf-16be": Charset.decodeUTF16(Array(bytes), high: 0)
        case "windows-1252": Windows1252.decode(bytes)
        case "replacement": bytes.isEmpty ? [] : Array("\u{FFFD}".utf8)
        case "x-user-defined": Charset.decodeUserDefined(bytes)
        default: Charset.decode(Array(bytes), iconvName: iconvName)
        }
    }

    private static func decodeUserDefined(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes { result.appendUTF8(byte < 0x80 ? UInt32(byte) : 0xF700 + UInt32(byte)) }
        return result
    }

    /// - Parameter high: which byte of a pair is the more significant one.
    private static func decodeUTF16(_ bytes: [UInt8], high: Int) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2 + 1)
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            units.append(UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high]))
        }
        // Half a unit at the end.
        if bytes.count % 2 == 1 { units.append(0xFFFD) }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// What glibc calls the encoding that the standard means: for some, a superset.
    var iconvName: String {
        switch name {
        case "big5": "BIG5-HKSCS"
        case "euc-jp": "EUC-JP-MS"
        case "euc-kr": "CP949"
        case "gbk": "GB18030"
        case "iso-8859-8-i": "ISO-8859-8"
        case "shift_jis": "CP932"
        case "windows-874": "CP874"
        case "x-mac-cyrillic": "MAC-CYRILLIC"
        default: name.uppercased()
        }
    }

    private static func decode(_ bytes: [UInt8], iconvName: String) -> [UInt8] {
        let converter = iconv_open("UTF-8", System.iconvName(iconvName))
        // iconv_open fails with (iconv_t) -1; then the bytes are read as a western page would be.
        guard let converter, Int(bitPattern: converter) != -1 else {
            return Windows1252.decode(bytes)
        }
        defer { iconv_close(converter) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count * 2)
        var input = bytes
        input.withUnsafeMutableBytes { convert(converter, $0, into: &result) }
        return result
    }

    private static func convert(
        _ converter: iconv_t, _ input: UnsafeMutableRawBufferPointer, into result: inout [UInt8]
    ) {
        guard let base = input.baseAddress else { return }
        var next: UnsafeMutablePointer<CChar>? = base.assumingMemoryBound(to: CChar.self)
        var left = input.count
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        while left > 0 {
            var failure: Int32 = 0
            buffer.withUnsafeMutableBufferPointer { output in
                var target = output.baseAddress
                var room = output.count
                let status = iconv(converter, &next, &left, &target, &room)
                if status == -1 { failure = errno }
                let written = UnsafeRawBufferPointer(output).prefix(output.count - room)
                result.append(contentsOf: written)
            }
            // EILSEQ is a byte that means nothing here, EINVAL an unfinished character at the end.
            guard failure != 0, failure != E2BIG else { continue }
            result.appendUTF8(0xFFFD)
            if failure == EINVAL { break }
            next = next.map { $0 + 1 }
            left -= 1
        }
        // Some encodings hold a character back, in case that an accent follows.
        buffer.withUnsafeMutableBufferPointer { output in
            var target = output.baseAddress
            var room = output.count
            iconv(converter, nil, nil, &target, &room)
            result.append(contentsOf: UnsafeRawBufferPointer(output).prefix(output.count - room))
        }
    }
}
