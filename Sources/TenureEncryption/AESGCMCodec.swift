// docs/decisions/encryption.md

import Crypto
public import Tenure
import TenureFoundation

/// Encrypts the content of jobs with AES-256-GCM.
///
/// Each is bound to what it is and to its job: what is moved elsewhere, or changed, doesn't open.
/// New content is encrypted with the current key; the others are there to read with. To change
/// the key, give all programs the new one beside the old, then make it the current one, and take
/// the old one away when nothing is sealed with it any more (`tenure job keys`).
///
/// ```swift
/// let codec = try AESGCMCodec(
///     keys: [
///         EncryptionKey("2026", environment: "JOBS_KEY_2026"),
///         EncryptionKey("2025", environment: "JOBS_KEY_2025"),
///     ], current: "2026")
/// let client = TenureClient(pool: pool, codec: codec)
/// ```
///
/// A key is good for some four billion contents, whose nonces are drawn at random: change it before
/// that. Nothing that is printed of a codec shows a key.
public struct AESGCMCodec: PayloadCodec {
    private let secrets: [String: EncryptionKey]
    /// The name of the key that new content is encrypted with.
    public let current: String
    public let readsPlain: Bool

    public var keys: Set<String> { Set(secrets.keys) }

    /// - Parameters:
    ///   - current: the name of one of the keys.
    ///   - readsPlain: whether content that isn't encrypted is read. False holds the jobs of
    ///     producers without a codec, of schedules and of SQL: for when whoever writes to the
    ///     database is not to decide what handlers get.
    /// - Throws: `TenureError` with `.invalidConfiguration` where no key is the current one, or two
    ///   have one name.
    public init(keys: [EncryptionKey], current: String, readsPlain: Bool = true) throws {
        secrets = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
        (self.current, self.readsPlain) = (current, readsPlain)
        guard secrets.count == keys.count else {
            throw TenureError(
                .invalidConfiguration, "two encryption keys have one name; give each its own")
        }
        guard secrets[current] != nil else {
            throw TenureError(
                .invalidConfiguration,
                "no encryption key has the name of the current one, \(current); give one of "
                    + secrets.keys.sorted().joined(separator: ", "))
        }
    }

    public func encode(
        _ plain: [UInt8], for context: PayloadContext
    ) throws -> EncodedPayload {
        guard let key = secrets[current] else { throw UnknownEncryptionKey() }
        let box = try AES.GCM.seal(plain, using: key.secret, authenticating: context.bytes)
        guard let bytes = box.combined else { throw UnknownEncryptionKey() }
        return EncodedPayload(key: current, bytes: Array(bytes))
    }

    public func decode(
        _ encoded: EncodedPayload, for context: PayloadContext
    ) throws -> [UInt8] {
        guard let key = secrets[encoded.key] else { throw UnknownEncryptionKey() }
        let box = try AES.GCM.SealedBox(combined: encoded.bytes)
        return Array(try AES.GCM.open(box, using: key.secret, authenticating: context.bytes))
    }
}

/// The library asks for none that isn't there.
struct UnknownEncryptionKey: Error {}
