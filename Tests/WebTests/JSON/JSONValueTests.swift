import Testing
import Web

@Suite struct JSONValueTests {
    private func parse(_ text: String) throws(JSONError) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    @Test func `values`() throws {
        let value = try parse(
            "\u{FEFF} {\"a\": [1, -2.5e3, true, null], \"b\": {}, \"a\": \"z\"}\n")
        #expect(value["a"]?.string == "z")
        #expect(value["b"] == .object([]))
        #expect(
            try parse("[1,-2.5e3,true,null,[]]").items == [
                .number(1), .number(-2500), .bool(true), .null, .array([]),
            ])
        #expect(JSONValue.null.items == [] && JSONValue.bool(true).items == [.bool(true)])
    }

    @Test(arguments: [
        (#""\u00e9\ud83d\ude00""#, "é😀"), (#""\ud83d""#, "\u{FFFD}"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00\ud83d\ude00""#, "\u{FFFD}😀"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000""#, "\0"),
    ])
    func `strings`(text: String, expected: String) throws {
        #expect(try parse(text) == .string(expected))
    }

    @Test(arguments: [
        ("", JSONError.Code.valueExpected, 0), ("[1,]", .valueExpected, 3),
        ("{a:1}", .keyExpected, 1), ("{\"a\"}", .colonExpected, 4),
        ("[1 2]", .separatorExpected, 3),
        ("[1}", .separatorExpected, 2), ("\"\n\"", .stringInvalid, 1),
        ("\"\\x\"", .stringInvalid, 2),
        ("-", .numberInvalid, 1), ("01", .trailing, 1), ("1.e5", .numberInvalid, 2),
    ])
    func `a failure has a code and a place`(text: String, code: JSONError.Code, offset: Int) {
        do {
            let value = try parse(text)
            Issue.record("read as \(value)")
        } catch {
            #expect(error.code == code && error.offset == offset, "\(error)")
        }
    }

    @Test func `nesting and size are bounded`() {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(throws: JSONError(code: .tooDeep, offset: 512)) { try parse(deep) }
        let wide = "[" + String(repeating: "0,", count: 600_000) + "0]"
        #expect { try parse(wide) } throws: { ($0 as? JSONError)?.code == .tooLarge }
        #expect(throws: JSONError(code: .notUTF8, offset: 0)) {
            try JSONValue(parsing: [0x22, 0xFF, 0x22])
        }
    }
}
