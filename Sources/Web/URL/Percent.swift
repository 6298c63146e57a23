/// The bytes that one part of a URL may not contain as they are (URL standard, section 1.3).
/// Every byte above 0x7E belongs to each set.
public struct PercentEncodeSet: Sendable {
    private let low: UInt64
    private let high: UInt64

    private init(_ bytes: some Sequence<UInt8>, adding other: PercentEncodeSet? = nil) {
        var low = other?.low ?? 0
        var high = other?.high ?? 0
        for byte in bytes where byte < 128 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
        }
        self.low = low
        self.high = high
    }

    @inline(__always)
    public func contains(_ byte: UInt8) -> Bool {
        if byte >= 0x7F { return true }
        return byte < 64
            ? low & (1 << UInt64(byte)) != 0
            : high & (1 << UInt64(byte - 64)) != 0
    }

    public static let c0Control = PercentEncodeSet(0...0x1F)
    public static let fragment = PercentEncodeSet(" \"<>`".utf8, adding: c0Control)
    public static let query = PercentEncodeSet(" \"#<>".utf8, adding: c0Control)
    public static let specialQuery = PercentEncodeSet("'".utf8, adding: query)
    public static let path = PercentEncodeSet("?^`{}".utf8, adding: query)
    public static let userinfo = PercentEncodeSet("/:;=@[\\]|".utf8, adding: path)
    public static let component = PercentEncodeSet("$%&+,".utf8, adding: userinfo)
}

public enum Percent {
    /// Percent-encodes the UTF-8 form of `text`; a `%` that is there already stays.
    public static func encode(_ text: String, _ set: PercentEncodeSet) -> String {
        var bytes: [UInt8] = []
        bytes.appendPercentEncoded(text.utf8, set)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces each `%XX` by its byte; a `%` without two hex digits stays.
    public static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index = bytes.index(after: index)
            if byte == UInt8(ascii: "%"), let value = hexPair(bytes, index) {
                result.append(value)
                index = bytes.index(index, offsetBy: 2)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    private static func hexPair<C: Collection<UInt8>>(_ bytes: C, _ first: C.Index) -> UInt8? {
        guard first < bytes.endIndex, let high = bytes[first].hexValue else { return nil }
        let second = bytes.index(after: first)
        guard second < bytes.endIndex, let low = bytes[second].hexValue else { return nil }
        return high << 4 | low
    }
}

extension [UInt8] {
    /// A copy, as one block where the bytes lie in one.
    init(copying bytes: some Collection<UInt8>) {
        self = bytes.withContiguousStorageIfAvailable { Array($0) } ?? Array(bytes)
    }

    mutating func appendPercentEncoded(_ bytes: some Collection<UInt8>, _ set: PercentEncodeSet) {
        if !bytes.contains(where: set.contains) { return append(contentsOf: bytes) }
        for byte in bytes {
            if set.contains(byte) {
                append(UInt8(ascii: "%"))
                append(UInt8.upperHexDigit(byte >> 4))
                append(UInt8.upperHexDigit(byte & 15))
            } else {
                append(byte)
            }
        }
    }
}
