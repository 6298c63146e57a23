/// The names of a codec's keys.
package struct KeyNames: Sendable {
    private let names: Set<String>

    package init(_ names: Set<String>) { self.names = names }

    /// - Throws: `TenureError` with `.invalidConfiguration` for one that no key may have.
    package func check() throws {
        for name in names where !Self.isGood(name) {
            throw TenureError(
                .invalidConfiguration,
                "the name of an encryption key has \(name.utf8.count) bytes or a character that it "
                    + "can't have; give 1 to 64 letters, digits, dots, dashes and underscores")
        }
    }

    static func isGood(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
