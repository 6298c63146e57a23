import HTTPTransport
import TenureFoundation
import Testing
import Web

@testable import Content

/// What is read by its bytes says what it says by its characters.
@Suite struct FastTextTests {
    @Test(arguments: [
        "", "Sorry", "SORRY, We Can't Find It", "a\r\nSorry", "ab\u{301}c", "Ünglück", "zu\u{308}",
        "\u{212A}elvin", "abc\u{200D}", "line\nbreak",
    ])
    func `the start of a text in lower case is what its characters are`(text: String) {
        for count in 0...8 {
            let slow = Array(text.prefix(count).lowercased().utf8)
            #expect(Array(SearchedText(lowercasedStartOf: text, count: count).bytes) == slow)
        }
    }

    @Test(arguments: [
        "Not found", "Site – Error 404", "404 error", "HTTP 404", "Error 410", "http 410 | x",
        "Page doesn't exist", "Page does not exist", "Seite nicht gefunden", "Page introuvable",
        "Página no encontrada", "Pa\u{301}gina no encontrada", "Pagina non trovata",
        "Страница не найдена", "Страница не наи\u{306}дена", "ページが見つかりません",
        "ヘ\u{309A}ーシ\u{3099}か\u{3099}見つかりません", "No longer available", "404", "Shop: 410",
    ])
    func `a title that tells of a missing page does, however it is written`(title: String) {
        #expect(MissingPage.isTold(by: title))
    }

    @Test(arguments: ["How 404 pages are made", "We found it", "It exists", "Longer days", ""])
    func `a title with such a word alone doesn't`(title: String) {
        #expect(!MissingPage.isTold(by: title))
    }

    @Test func `header fields come back from their JSON as they were`() throws {
        var headers = HTTPHeaders()
        headers["ETag"] = #"W/"a\b/é""#
        headers["Cache-Control"] = "max-age=1,\tx=\"\u{1}\u{1F}\""
        headers["Set-Cookie"] = "secret"
        let kept = ResponseHeaders(headers)
        let json = kept.json()
        let read = try JSONDecoder().decode([String: String].self, from: Data(json.utf8))
        #expect(read["etag"] == headers["ETag"])
        #expect(read["cache-control"] == headers["Cache-Control"])
        #expect(read.count == 2)
        #expect(ResponseHeaders(json: json) == kept)
        #expect(ResponseHeaders(HTTPHeaders()).json() == "{}")
    }

    @Test func `a text with NUL is found out, wherever that is`() {
        for text in ["\0", "a\0", "\0a", "a\0é"] { #expect(text.hasNUL) }
        for text in ["", "a", "é", "0"] { #expect(!text.hasNUL) }
        #expect("a\0b".storable == "a\u{FFFD}b")
    }

    @Test func `words are counted as by their scalars`() {
        var generator = Seeded(7)
        let parts = ["a", "Z9", "'", "’", " ", "é", "e\u{301}", "日", "ก", "-", "😀", "\u{AD}", "ж"]
        for _ in 0..<300 {
            let text = (0..<12).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
            #expect(WordCount.count(text) == countedByScalars(text), "\(text)")
        }
    }

    private func countedByScalars(_ text: String) -> Int {
        var count = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar == "日" || scalar == "ก" {
                (count, isInWord) = (count + 1, false)
                continue
            }
            let isMark = scalar == "\u{301}"
            let isPart =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark
                || isInWord && scalar == "'" || scalar == "\u{2019}"
            if isPart, !isInWord { count += 1 }
            isInWord = isPart
        }
        return count
    }
}
