import Foundation
import Tenure
import Testing

/// What of a payload is not to be shown, and what is taken out of texts about it.
@Suite struct SecretFieldsTests {
    private let payload = #"""
        {"to":"ada","password":"p/ss \"1\"","card":{"number":"4111-1111","until":2030},
         "list":[{"pin":123456},{"pin":"7"},{"other":true}],"card.number":1}
        """#

    @Test func `a job that is printed shows nothing of its payload`() throws {
        let job = try NewJob(kind: "charge", payload: payload, .keeping("order-7"))
        for text in ["\(job)", String(reflecting: job), "\([job])", "\((1, job))"] {
            #expect(text.contains("of charge for queue default, key order-7"))
            #expect(!text.contains("4111") && !text.contains("ada"))
        }
    }

    @Test func `fields are masked wherever they are, and nothing else`() {
        let fields = SecretFields(["password", "card.number", "list.pin", "not.there"])
        #expect(
            fields.masked(payload)
                == #"{"card":{"number":"…","until":2030},"card.number":1,"list":[{"pin":"…"},"#
                + #"{"pin":"…"},{"other":true}],"password":"…","to":"ada"}"#)
        #expect(SecretFields([]).masked(payload) == payload)
        #expect(
            SecretFields(["a"]).masked(#"{"a":"abcd","b":"is abcd, abc"}"#)
                == #"{"a":"…","b":"is …, abc"}"#)
        #expect(SecretFields(["card"]).masked(payload).contains(#""card":"…""#))
        #expect(SecretFields(["a"]).masked("no JSON") == "\"…\"")
        #expect(SecretFields(["a"]).masked("[1,{\"a\":2}]") == #"[1,{"a":"…"}]"#)
    }

    @Test(arguments: [
        (#"no: p/ss "1"!"#, "no: …!"), (#"{"x":"p/ss \"1\""}"#, #"{"x":"…"}"#),
        ("https://a/?q=p%2Fss%20%221%22&b", "https://a/?q=…&b"), ("4111-1111 2030", "… 2030"),
        ("pin 123456 or 7", "pin … or 7"), ("nothing", "nothing"),
    ])
    func `a text that repeats a value has a mask there`(text: String, shown: String) {
        let fields = SecretFields(["password", "card.number", "list.pin"])
        #expect(fields.veiled(text, of: payload) == shown)
        #expect(SecretFields([]).veiled(text, of: payload) == text)
    }

    /// Longer than `Int64`, `Double` and `Decimal` can hold.
    @Test(arguments: [
        "12345678901234567890", "1234567890123456789", "0.1234567890123456789012345",
        "-31415926535897932384626433832795028841971693993751", "6.02214076e23", "1234.50",
    ])
    func `a number is found digit by digit, and as those print it who round`(
        number: String
    ) throws {
        let payload = #"{"pin":\#(number),"list":[{"pin":"x \"1"}],"note":"is \#(number)"}"#
        let fields = SecretFields(["pin"])
        let double = try #require(Double(number))
        let decimal = try #require(Decimal(string: number))
        #expect(fields.veiled("it is \(number)!", of: payload) == "it is …!")
        #expect(fields.veiled("it is \(double)!", of: payload) == "it is …!")
        #expect(fields.veiled("it is \(decimal)!", of: payload) == "it is …!")
        #expect(
            fields.masked(payload) == #"{"list":[{"pin":"x \"1"}],"note":"is …","pin":"…"}"#)
    }

    @Test func `numbers that are no secret are shown as they are spelled`() {
        let payload = #"{"a":"1234","b":[12345678901234567890123,-1.50,1e-7,0.1,9007199254740993]}"#
        #expect(
            SecretFields(["a"]).masked(payload)
                == payload.replacing(#""a":"1234""#, with: #""a":"…""#))
        let vast = "1" + String(repeating: "0", count: 400)
        #expect(SecretFields(["a"]).masked(#"{"b":\#(vast)}"#) == #"{"b":"\#(vast)"}"#)
        #expect(SecretFields(["a"]).veiled(vast, of: #"{"a":\#(vast)}"#) == "…")
        for wrong in ["1-2", "01", "-", "1.2.3", "\"open", "1\""] {
            #expect(SecretFields(["a"]).masked(#"{"b":\#(wrong)}"#) == "\"…\"", "\(wrong)")
        }
    }

    @Test func `of two values the longer is taken out first`() {
        let fields = SecretFields(["a", "b"])
        #expect(fields.veiled("x abcdef y abcd", of: #"{"a":"abcd","b":"abcdef"}"#) == "x … y …")
    }
}
