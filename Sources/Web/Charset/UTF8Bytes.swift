import TenureSystem

enum UTF8Bytes {
    static func isValid(_ bytes: [UInt8]) -> Bool { System.isUTF8(bytes) }
}
