import Tenure
import TenureEncryption
import TenureFoundation
import TenureSystem
import Testing

/// Keys, and what is bound by them.
@Suite struct AESGCMCodecTests {
    private let bytes = Array(UInt8(65)...UInt8(96))

    private static var temporary: String {
        getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    }

    private func message(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? TenureError)?.message }
        return nil
    }

    @Test(arguments: [0, 16, 31, 33, 64])
    func `a key of another length is refused in one clear line`(length: Int) {
        let key = Array(repeating: UInt8(7), count: length)
        #expect(
            message { _ = try EncryptionKey("k", bytes: key) }
                == "the encryption key has a key of \(length) bytes; give 32")
    }

    @Test(arguments: ["", "a b", "ä", "k\n", String(repeating: "k", count: 65)])
    func `a name that no key may have is refused`(name: String) {
        let found = message { _ = try EncryptionKey(name, bytes: bytes) }
        #expect(found?.contains("give 1 to 64 letters, digits, dots, dashes") == true)
    }

    @Test func `nothing that is printed of a key or a codec shows it`() throws {
        let key = try EncryptionKey("k", bytes: bytes)
        let codec = try AESGCMCodec(keys: [key], current: "k")
        var dumped = ""
        dump(codec, to: &dumped)
        dump(key, to: &dumped)
        let texts = [
            dumped, "\(key)", "\(codec)", String(reflecting: key), String(reflecting: codec),
            String(reflecting: ["a": codec]),
        ]
        let secret = String(decoding: bytes, as: UTF8.self)
        for text in texts {
            #expect(!text.contains(secret) && !text.contains(Data(bytes).base64EncodedString()))
            #expect(!text.contains("65, 66") && !text.contains("4142"), "\(text)")
        }
    }

    @Test func `a key comes from the environment or a file, as bytes, base64 or hexadecimal`()
        throws
    {
        let text = Data(bytes).base64EncodedString()
        let hex = bytes.map { String($0, radix: 16) }.joined()
        let folder = URL(filePath: Self.temporary)
        let file = folder.appending(path: "tenure-key-\(UUID())")
        defer { unlink(file.path) }
        let codec = try AESGCMCodec(
            keys: [try EncryptionKey("k", bytes: bytes)], current: "k")
        let context = try self.context(.payload)
        let box = try codec.encode([1, 2, 3], for: context)
        for content in [Data(text.utf8), Data((hex + "\n").utf8)] {
            try content.write(to: file)
            let key = try EncryptionKey("k", file: file.path)
            let other = try AESGCMCodec(keys: [key], current: "k")
            #expect(try other.decode(box, for: context) == [1, 2, 3])
        }
        let raw = bytes.map { $0 | 0x80 }
        try Data(raw).write(to: file)
        let sealed = try AESGCMCodec(keys: [EncryptionKey("k", bytes: raw)], current: "k")
            .encode([4], for: context)
        let read = try AESGCMCodec(keys: [EncryptionKey("k", file: file.path)], current: "k")
        #expect(try read.decode(sealed, for: context) == [4])
        // A word of 32 letters, or half as many bytes in hexadecimal, is no key.
        try Data(bytes).write(to: file)
        let weak = message { _ = try EncryptionKey("k", file: file.path) }
        #expect(weak?.contains("has 32 characters of text, too few for a key") == true)
        setenv("TENURE_TEST_KEY", text, 1)
        let key = try EncryptionKey("k", environment: "TENURE_TEST_KEY")
        #expect(
            try AESGCMCodec(keys: [key], current: "k").decode(box, for: context) == [1, 2, 3])
        setenv("TENURE_TEST_KEY", "kanary-key", 1)
        let wrong = message { _ = try EncryptionKey("k", environment: "TENURE_TEST_KEY") }
        #expect(wrong?.hasPrefix("TENURE_TEST_KEY is neither base64") == true)
        #expect(wrong?.contains("kanary") == false)
        #expect(
            message { _ = try EncryptionKey("k", environment: "TENURE_TEST_NONE") }?
                .hasPrefix("the environment has no TENURE_TEST_NONE") == true)
        #expect(
            message { _ = try EncryptionKey("k", file: "/nowhere/key") }?
                .contains("/nowhere/key") == true)
    }

    @Test func `a codec has its current key, and no name twice`() throws {
        let key = try EncryptionKey("k", bytes: bytes)
        #expect(
            message { _ = try AESGCMCodec(keys: [key], current: "new") }?
                .contains("the name of the current one, new; give one of k") == true)
        #expect(
            message { _ = try AESGCMCodec(keys: [key, key], current: "k") }?
                .contains("two encryption keys have one name") == true)
    }

    private func context(
        _ content: PayloadContext.Content, _ owner: PayloadContext.Owner = .key("x"),
        kind: JobKind = "a"
    ) throws -> PayloadContext {
        PayloadContext(content, of: owner, kind: kind)
    }

    @Test func `what was encoded for one context opens in no other`() throws {
        let id = try #require(JobID("01990000-0000-7000-8000-000000000000"))
        let contexts = try [
            context(.payload), context(.payload, .key("y")), context(.payload, kind: "b"),
            context(.payload, .key(id.description)), context(.payload, .job(id)),
            context(.payload, .job(id), kind: "b"), context(.payload, .job(JobID())),
            context(.result, .job(id)), context(.step("s"), .job(id)),
            context(.step("t"), .job(id)), context(.signal("s"), .job(id)),
            context(.signal("s")), context(.signal("sx"), .key("")),
        ]
        #expect(Set(contexts.map(\.bytes)).count == contexts.count)
        let codec = try AESGCMCodec(
            keys: [try EncryptionKey("k", bytes: bytes)], current: "k")
        for one in contexts {
            let box = try codec.encode([1], for: one)
            for other in contexts where other != one {
                #expect(throws: (any Error).self) { try codec.decode(box, for: other) }
            }
            #expect(try codec.decode(box, for: one) == [1])
        }
    }
}
