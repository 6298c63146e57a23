/// Payloads: sound ones, broken ones, and ones that readers disagree on.
enum PayloadCorpus {
    static let all = numbers + texts + shapes + typed + broken

    /// Alone, and where types look for them.
    static let numbers: [String] = spelledNumbers.flatMap { number in
        [
            number, " \(number)\n", "[\(number)]", #"{"depth":\#(number),"url":"u"}"#,
            #"{"int": \#(number), "double": \#(number), "list": [\#(number), null]}"#,
        ]
    }

    private static let spelledNumbers = [
        "0", "-0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "32767", "32768",
        "65535", "65536", "2147483647", "2147483648", "-2147483648", "-2147483649",
        "4294967295", "4294967296", "9007199254740991", "9007199254740993",
        "123456789012345", "1234567890123456", "999999999999999999", "1000000000000000000",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "170141183460469231731687303715884105727", "1e0", "1E2", "1e+2", "100e-2", "1.0", "1.5",
        "-1.5", "0.0", "-0.0", "0e0", "0.000", "0e5", "-0e-5", "0.1", "0.2", "3.1415926535897932",
        "16777216", "16777217", "0.30000001", "1.17549435e-38", "1e-45", "1e-46", "1e38", "1e39",
        "3.4028235e38", "2.2250738585072014e-308", "2.2250738585072011e-308", "5e-324", "4e-324",
        "2e-324", "1e-400", "1.7976931348623157e308", "1.7976931348623159e308", "1e400",
        "-1e400", "1.0000000000000001", "12345678901234567890.5", "00", "01", "-01", "1.", ".5",
        "-", "+1", "--1", "1e", "1e+", "1.e1", "0x10", "1_000", "1,0", "NaN", "Infinity",
        "-Infinity", "1.5.5", "1e5e5", "1-1", "1e1.5", "-.5",
        "0." + String(repeating: "3", count: 400), String(repeating: "9", count: 309),
        String(repeating: "9", count: 400), "1" + String(repeating: "0", count: 30),
    ]

    static let texts: [String] = spelledTexts.flatMap { text in
        [
            text, "[\(text)]", #"{"url":\#(text),"depth":1}"#, #"{"string": \#(text)}"#,
            #"{\#(text): 1, "depth": 2}"#, #"{"word":\#(text),"words":{},"numbers":{}}"#,
        ]
    }

    private static let spelledTexts = [
        #""""#, #""a""#, #""ab cd""#, #""https://example.org/a?b=c#d""#, #""http://[::1""#,
        #""a b c""#, #""\"""#, #""\\""#, #""\/""#, #""\b\f\n\r\t""#, #""\u0041\u00e9\u20AC""#,
        #""\u0000""#, #""\u001f""#, #""\ud83d\ude00""#, #""\uD83D\uDE00!""#, #""\ud83d""#,
        #""\ude00""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\ud83d\ud83d""#, #""\u12""#,
        #""\u12g4""#, #""\x41""#, #""\""#, #""\u""#, "\"é\"", "\"e\u{301}\"", "\"😀\"",
        "\"\u{FEFF}\"", "\"\u{2028}\"", "\"\u{7F}\"", "\"\t\"", "\"\n\"", "\"\u{0}\"",
        "\"\u{1F}\"", #""unended"#, #""ends\"#, #""red""#, #""RED""#, #""3""#, #""Infinity""#,
        #""4E0A2E1C-7B64-4C1F-9E4E-0C5A55C0A1B2""#, #""QUJD""#, #""QUJDRA==""#, #""QU JD""#,
        #""QUJ""#, "\"\u{FFFD}\u{FFFF}\u{10FFFF}\"", "\"\u{212A}\"", #""K""#, #""\u212A""#,
    ]

    static let shapes = [
        "null", "true", "false", "tru", "truex", "nul", "True", "", " ", "\n", "{}", "[]", "{ }",
        "[ ]", "[[]]", "[{}]", "{\"\":{}}", "[null]", "[null,1]", "[1,null,\"a\",true,{},[]]",
        #"{"url":"a","depth":1}"#, #"{"depth":1,"url":"a"}"#, #" { "url" : "a" , "depth" : 1 } "#,
        #"{"url":"a"}"#, #"{"depth":1}"#, #"{"url":null,"depth":1}"#, #"{"url":1,"depth":"a"}"#,
        #"{"url":"a","depth":1,"more":[1,{"x":null}]}"#, #"{"url":"a","depth":1,"more":01}"#,
        #"{"url":"a","depth":1,"more":"\ud800"}"#, #"{"url":"a","depth":1,"url":"b"}"#,
        #"{"url":"a","depth":1,"depth":null}"#, #"{"depth":null,"depth":1,"url":"a"}"#,
        #"{"url":"a","depth":1,"more":1,"more":2}"#, #"{"URL":"a","Depth":1}"#,
        #"{"\u0075rl":"a","depth":1}"#, #"{"url":"a","depth":1,}"#, "[1,]", "[,1]", "[1 2]",
        "[1,,2]", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{a:1}", "{'a':1}", "[1", "{", "}",
        "]", "[", "[}", "{]", "{\"a\":1", "{\"a\":1}}", "[1]]", "1 1", "// a\n1", "/* */1", "1//",
        "\u{FEFF}1", "\u{FEFF}{}", "\u{0}1", "1\u{0}", "\u{A0}1", "1\u{B}", "1\u{C}",
        "[\"a\",\"b\"]", "[[\"a\"],[]]", "[[1,2],[3]]", "{\"a\":{\"depth\":1},\"b\":[\"x\",null]}",
        #"{"a":null,"b":{}}"#, #"{"b":[null,null],"a":["x"]}"#, #"{"url":{"depth":[1]}}"#,
        #"{"K":1,"ü":2}"#, "{\"u\u{308}\":2}", "{\"\u{212A}\":1}", #"{"a.b/c":1,"":2}"#,
        #"{"depth":1,"super":{"url":"a"}}"#, #"{"depth":1,"super":null}"#,
        #"{"depth":1,"url":"a","super":{}}"#,
    ]

    static let broken = nests + manyKeys

    private static let nests: [String] = [1, 100, 127, 128, 129, 300, 511, 512, 513, 2000]
        .flatMap { (depth: Int) -> [String] in
            let fields = repeated(#"{"a":"#, depth) + "1" + repeated("}", depth)
            // Foundation (of Swift 6.3) traps where a text ends with the 513th of these.
            let lists = repeated("[", depth)
            return [lists + repeated("]", depth), fields, lists + " "]
        }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private static let manyKeys = [1, 15, 16, 17, 40].flatMap { (count: Int) -> [String] in
        let keys = (0..<count).map { "\"k\($0 * 7919 % 100)\":\($0)" }
        return [
            "{\(keys.joined(separator: ","))}",
            "{\((keys + keys.prefix(1)).joined(separator: ","))}",
            "{\(keys.sorted().joined(separator: ","))}",
            "{\(keys.reversed().joined(separator: ", "))}",
        ]
    }

    static let typed = [
        """
        {"bool":true,"int":1,"int8":-8,"int16":16,"int32":-32,"int64":64,"uint":1,"uint8":8,
        "uint16":16,"uint32":32,"uint64":64,"float":0.1,"double":0.1,"string":"s"}
        """,
        """
        {"bool":true,"int":1,"int8":-8,"int16":16,"int32":-32,"int64":64,"uint":1,"uint8":256,
        "uint16":16,"uint32":32,"uint64":64,"float":0.1,"double":0.1,"string":"s"}
        """,
        """
        {"bool":0,"int":1.0,"int8":-8e0,"int16":16,"int32":-32,"int64":64,"uint":-0,"uint8":8,
        "uint16":16,"uint32":32,"uint64":64,"float":1e39,"double":5e-324,"string":"s"}
        """,
        #"{"string":"a","int":1,"double":1,"bool":false,"nested":{"url":"a","depth":1}}"#,
        #"{"string":null,"int":null,"double":null,"bool":null,"nested":null,"list":null}"#,
        #"{"list":[1,null,2],"twice":3}"#, #"{"nested":{"url":"a"}}"#, #"{"list":[1,"a"]}"#,
        #"{"list":["x","y"],"url":1,"depth":[]}"#, #"{"twice":null}"#, #"{"nested":[]}"#,
        #"{"inner":{"list":[],"plain":{"url":"a","depth":1}},"lists":[["a"],[]],"table":{}}"#,
        """
        {"inner":{"list":[{"url":"a","depth":1},{"url":"b","depth":2}],
        "plain":{"url":"a","depth":1}},"lists":[],"table":{"a":[1],"b":[],"a":[2]}}
        """,
        #"{"inner":{"list":[{"url":"a"}],"plain":{"url":"a","depth":1}},"lists":[],"table":{}}"#,
        """
        {"id":"4E0A2E1C-7B64-4C1F-9E4E-0C5A55C0A1B2","date":12.5,"url":"https://é.org/ü?a=b c",
        "urls":["a","/b","http://c"]}
        """,
        """
        {"id":"4e0a2e1c-7b64-4c1f-9e4e-0c5a55c0a1b2","date":-1e9,"url":"a","urls":[],"maybe":null}
        """,
        #"{"id":"x","date":0,"url":"a","urls":[]}"#,
        #"{"id":"4E0A2E1C-7B64-4C1F-9E4E-0C5A55C0A1B2","date":"x","url":"a","urls":[]}"#,
        #"{"id":"4E0A2E1C-7B64-4C1F-9E4E-0C5A55C0A1B2","date":0,"url":"","urls":[""]}"#,
        #"{"data":"QUJD","decimal":1.10}"#, #"{"data":"?","decimal":1}"#, #"{"decimal":"1"}"#,
        #"{"data":null,"decimal":12345678901234567890.12345}"#,
        #"{"none":{}}"#, #"{"one":{"_0":1}}"#, #"{"one":{"_0":"a"}}"#, #"{"one":{}}"#,
        #"{"named":{"first":"a","second":1.5}}"#, #"{"named":{"first":"a"}}"#,
        #"{"named":{"first":"a","second":null}}"#, #"{"none":{},"one":{"_0":1}}"#,
        #"{"deep":{"_0":{"deep":{"_0":{"one":{"_0":1}}}}}}"#, #"{"unknown":{}}"#, #"{"none":null}"#,
        #"{"word":"red","number":2,"words":{"red":1,"blue":2},"numbers":{"1":"a","-2":"b"}}"#,
        #"{"word":"red","number":3,"words":{},"numbers":{}}"#,
        #"{"word":"red","words":{"pink":1},"numbers":{}}"#,
        #"{"word":"red","words":{},"numbers":{"a":"b"}}"#,
        #"{"word":"red","words":["red",1],"numbers":[1,"a"]}"#,
        #"{"a":1,"b":2,"12":3}"#, #"{"1":1,"02":2}"#, #"["a",1,"b",2]"#, #"[1,"a",1,"b"]"#,
        #"[1,[2,["three",null,{"four":4.5}]],true]"#,
    ]
}
