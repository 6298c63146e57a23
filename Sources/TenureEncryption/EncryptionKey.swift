import Crypto
import Tenure
import TenureFoundation
import TenureSystem

/// A key of 32 bytes, with a name. Nothing that is printed of it, `dump` included, shows it.
public struct EncryptionKey: Sendable {
    /// Stands beside what is encrypted with it: no secret.
    public let name: String
    let secret: SymmetricKey

    private static let length = 32

    /// - Parameter name: 1 to 64 letters, digits, dots, dashes and underscores; a year, say. A name
    ///   stays with its key for ever.
    /// - Throws: `TenureError` with `.invalidConfiguration` for other than 32 bytes, or for a name
    ///   that can't be used.
    public init(_ name: String, bytes: [UInt8]) throws {
        try self.init(name, bytes, from: "the encryption key")
    }

    /// Of an environment variable, as base64 or as 64 hexadecimal digits: what
    /// `openssl rand -base64 32` prints.
    public init(_ name: String, environment variable: String) throws {
        guard let value = getenv(variable) else {
            throw TenureError(
                .invalidConfiguration,
                "the environment has no \(variable), for encryption key \(name); set it to what "
                    + "`openssl rand -base64 32` prints")
        }
        try self.init(
            name, try Self.bytes(of: String(cString: value), from: variable), from: variable)
    }

    /// Of a file: 32 bytes as they are, or as text as in an environment variable.
    public init(_ name: String, file path: String) throws {
        let content: Data
        do {
            content = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw TenureError(
                .invalidConfiguration,
                "the file \(path) of encryption key \(name) can't be read", cause: error)
        }
        let text = String(decoding: content.prefix(4096), as: UTF8.self)
        let isText = content.allSatisfy { (0x20..<0x7F).contains($0) }
        if isText, content.count == Self.length {
            throw TenureError(
                .invalidConfiguration,
                "the file \(path) of encryption key \(name) has \(Self.length) characters of text, "
                    + "too few for a key; write what `openssl rand -base64 32` prints")
        }
        let bytes =
            content.count == Self.length ? Array(content) : try Self.bytes(of: text, from: path)
        try self.init(name, bytes, from: path)
    }

    private init(_ name: String, _ bytes: [UInt8], from place: String) throws {
        guard bytes.count == Self.length else {
            throw TenureError(
                .invalidConfiguration,
                "\(place) has a key of \(bytes.count) bytes; give \(Self.length)")
        }
        try KeyNames([name]).check()
        self.name = name
        secret = SymmetricKey(data: bytes)
    }

    private static func bytes(of text: String, from place: String) throws -> [UInt8] {
        let text = text.filter { !$0.isWhitespace }
        if text.utf8.count == 2 * length, let bytes = hexadecimal(text) { return bytes }
        guard let data = Data(base64Encoded: text) else {
            throw TenureError(
                .invalidConfiguration,
                "\(place) is neither base64 nor \(2 * length) hexadecimal digits; give what "
                    + "`openssl rand -base64 32` prints")
        }
        return Array(data)
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 2 * length else { return nil }
        return (0..<length).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
    }
}

extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var description: String { "encryption key \(name)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

#if !Encryption
    #error("TenureEncryption needs its trait: .package(url: …, traits: [\"Encryption\"])")
#endif
