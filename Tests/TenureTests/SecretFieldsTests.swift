import Tenure
import Testing

/// What of a payload is not to be shown, and what is taken out of texts about it.
@Suite struct SecretFieldsTests {
    private let payload = #"""
        {"to":"ada","password":"p/ss \"1\"","card":{"number":"4111-1111","until":2030},
         "list":[{"pin":123456},{"pin":"7"},{"other":true}],"card.number":1}
        """#

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

    @Test func `of two values the longer is taken out first`() {
        let fields = SecretFields(["a", "b"])
        #expect(fields.veiled("x abcdef y abcd", of: #"{"a":"abcd","b":"abcdef"}"#) == "x … y …")
    }
}
