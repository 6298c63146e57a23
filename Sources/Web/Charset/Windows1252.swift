/// windows-1252, which the Encoding standard also means by latin1 and ASCII. It is ISO 8859-1
/// but for the bytes 0x80 to 0x9F.
enum Windows1252 {
    /// The characters of the bytes 0x80 to 0x9F; five of them stand for themselves.
    static let highControls: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                result.append(byte)
            } else {
                result.appendUTF8(byte < 0xA0 ? highControls[Int(byte - 0x80)] : UInt32(byte))
            }
        }
        return result
    }
}
