/// HMAC with SHA-256 (RFC 2104): who knows the key can tell that a text is from somebody who does.
enum HMAC {
    private static let block = 64

    static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var padded = key.count > block ? SHA256.digest(key) : key
        padded += [UInt8](repeating: 0, count: block - padded.count)
        let inner = SHA256.digest(padded.map { $0 ^ 0x36 } + message)
        return SHA256.digest(padded.map { $0 ^ 0x5C } + inner)
    }
}
