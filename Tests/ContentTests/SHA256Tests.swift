import Testing

@testable import Content

@Suite struct SHA256Tests {
    /// FIPS 180-4's own examples, and those of NIST's page of test vectors.
    static let known = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ]

    @Test(arguments: known) func `the standard's examples`(text: String, hash: String) {
        var sha = SHA256()
        sha.update(Array(text.utf8))
        #expect(sha.digest.hex == hash)
    }

    @Test func `a million letters, in pieces of every size, through a kept state`() throws {
        let hash = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        var sha = SHA256()
        var rest = 1_000_000
        var size = 0
        while rest > 0 {
            size = size % 1500 + 1
            let count = min(size, rest)
            sha.update([UInt8](repeating: 0x61, count: count))
            sha = try #require(SHA256(state: sha.state))
            rest -= count
        }
        #expect(sha.digest.hex == hash)
        #expect(sha.count == 1_000_000)
    }

    @Test func `what is no state is refused`() {
        var sha = SHA256()
        sha.update([1, 2, 3])
        #expect(SHA256(state: Array(sha.state.dropLast())) == nil)
        #expect(SHA256(state: []) == nil)
    }
}
