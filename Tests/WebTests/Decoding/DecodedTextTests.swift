import Testing

@testable import Web

@Suite struct DecodedTextTests {
    private func text(_ decoded: DecodedText) -> String {
        String(decoding: decoded.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("latin1", "windows-1252"), (" UTF8 ", "utf-8"), ("Shift-JIS", "shift_jis"),
        ("gb2312", "gbk"), ("utf-16", "utf-16le"), ("iso-2022-kr", "replacement"),
        ("ks_c_5601-1987", "euc-kr"),
    ])
    func `labels mean encodings`(label: String, name: String) {
        #expect(Charset(label: label)?.name == name)
    }

    @Test func `an unknown label means none`() {
        #expect(Charset(label: "utf-7") == nil)
        #expect(Charset(label: "") == nil)
    }

    @Test func `a byte order mark beats the header, and the header the document`() {
        let marked = DecodedText([0xEF, 0xBB, 0xBF, 0x61], headerCharset: "latin1")
        #expect(marked.evidence == .byteOrderMark && text(marked) == "a")
        let header = DecodedText(Array("<meta charset=koi8-r>\u{E4}".utf8), headerCharset: "utf-8")
        #expect(header.evidence == .header && text(header).hasSuffix("ä"))
        let meta = DecodedText(Array("<meta charset=utf-8>".utf8), headerCharset: "nonsense")
        #expect(meta.evidence == .meta && meta.charset == .utf8)
    }

    @Test func `what is no UTF-8 is replaced`() {
        let decoded = DecodedText([0x61, 0xFF, 0xE2, 0x82, 0x62], headerCharset: "utf-8")
        #expect(text(decoded) == "a\u{FFFD}\u{FFFD}b")
    }

    @Test(arguments: [
        ("windows-1252", [0x80, 0xE4, 0x81] as [UInt8], "€ä\u{81}"),
        ("utf-16le", [0x3D, 0xD8, 0x00, 0xDE, 0x3D, 0xD8, 0x61], "😀\u{FFFD}\u{FFFD}"),
        ("utf-16be", [0x00, 0x61, 0x00], "a\u{FFFD}"),
        ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0xFF, 0x61], "日本\u{FFFD}a"),
        ("euc-jp", [0xC6, 0xFC, 0xCB], "日\u{FFFD}"),
        ("euc-kr", [0xC7, 0xD1], "한"),
        ("gbk", [0xD6, 0xD0], "中"),
        ("big5", [0xA4, 0xA4], "中"),
        ("koi8-r", [0xF2], "Р"),
        ("iso-8859-8-i", [0xE0], "א"),
        ("windows-874", [0xA1], "ก"),
        ("windows-1258", [0x61], "a"),
        ("windows-1255", [0xE0], "א"),
        ("x-mac-cyrillic", [0x80], "А"),
        ("x-user-defined", [0x80], "\u{F780}"),
        ("replacement", [0x61, 0x62], "\u{FFFD}"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
    ])
    func `encodings are decoded`(label: String, bytes: [UInt8], expected: String) throws {
        let charset = try #require(Charset(label: label))
        #expect(String(decoding: charset.decode(bytes), as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("windows-1251", "Привет, как дела? Всё хорошо"), ("euc-jp", "これはにほんごのぶんしょうです"),
        ("shift_jis", "これはにほんごのぶんしょうです"), ("euc-kr", "한국어문장을시험합니다감사합니다"),
        ("windows-1252", "Größe, Übung, älter, süß, déjà vu"),
    ])
    func `some encodings are guessed`(label: String, sample: String) throws {
        let charset = try #require(Charset(label: label))
        // What decodes to the sample is found by trying every pair of bytes.
        let bytes = Self.encode(sample, charset)
        let decoded = DecodedText(bytes)
        #expect(decoded.charset == charset && decoded.evidence == .guess)
        #expect(text(decoded) == sample)
    }

    private static func encode(_ text: String, _ charset: Charset) -> [UInt8] {
        var table: [String: [UInt8]] = [:]
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x40)...0xFF {
                table[String(decoding: charset.decode([first, second]), as: UTF8.self)] =
                    [first, second]
            }
        }
        for byte in UInt8(0)...0xFF {
            table[String(decoding: charset.decode([byte]), as: UTF8.self)] = [byte]
        }
        return text.flatMap { table[String($0)] ?? [0x3F] }
    }
}
