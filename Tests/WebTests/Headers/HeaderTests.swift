import Testing
import Web

@Suite struct HeaderTests {
    @Test(arguments: [
        ("text/html", "text/html", nil),
        (" Text/HTML ; charset=UTF-8 ", "text/html", "UTF-8"),
        ("text/html;charset=\"a\\\"b\"", "text/html", "a\"b"),
        ("text/html;charset=", "text/html", nil),
        ("text/html;CHARSET=x;charset=y", "text/html", "x"),
        ("text/html;;;boundary=a b;charset=gbk", "text/html", "gbk"),
    ])
    func `media types are read`(text: String, essence: String, charset: String?) {
        let type = MediaType(text)
        #expect(type?.essence == essence)
        #expect(type?.charset == charset)
    }

    @Test(arguments: ["", "text", "/html", "text/", "te xt/html", "text/html/x"])
    func `what is no media type is refused`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `a media type writes itself so that it can be read`() {
        let type = MediaType("text/html; charset=\"x y\"; a=b")
        #expect(type?.description == "text/html;charset=\"x y\";a=b")
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `all three forms of a date are the same`(text: String) {
        #expect(HTTPDate(text)?.secondsSince1970 == 784_111_777)
        #expect(HTTPDate(text)?.description == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [0, 951_782_400, 1_709_164_800, 4_102_444_799, -86_400, 253_402_300_799])
    func `dates survive writing and reading`(seconds: Int64) {
        let date = HTTPDate(secondsSince1970: seconds)
        #expect(HTTPDate(date.description) == date)
    }

    @Test(arguments: [
        "", "0", "Sun, 31 Feb 2020 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:49:37 PST", "Sun, -6 Nov 1994 08:49:37 GMT",
    ])
    func `what is no date is refused`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test func `cache directives are read`() {
        let cache = CacheControl(
            "Max-Age=\"60\", Private=\"a, no-cache\", no-store , s-maxage=5,max-age=7")
        #expect(cache.maxAge == .seconds(60))
        #expect(cache.noStore && !cache.noCache && !cache.isPublic)
    }

    @Test func `retry-after is a delay or a date`() {
        let now = HTTPDate(secondsSince1970: 784_111_700)
        #expect(RetryAfter(" 120 ")?.delay(from: now) == .seconds(120))
        let date = RetryAfter("Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(date?.delay(from: now) == .seconds(77))
        #expect(date?.delay(from: HTTPDate(secondsSince1970: 900_000_000)) == .zero)
        #expect(RetryAfter("soon") == nil)
        #expect(RetryAfter("-1") == nil)
        #expect(RetryAfter("99999999999999999999")?.delay(from: now) == .seconds(1 << 31))
    }
}
