import Testing
import Web

@Suite struct CachedResponseTests {
    private let now = HTTPDate("Mon, 06 May 2024 12:00:00 GMT")!

    private func at(_ seconds: Int64) -> HTTPDate {
        HTTPDate(secondsSince1970: now.secondsSince1970 + seconds)
    }

    private func response(
        _ headers: [String: String], status: Int = 200, delay: Int64 = 0
    ) -> CachedResponse {
        var headers = headers
        headers["date"] = headers["date"] ?? now.description
        return CachedResponse(
            status: status, requestTime: at(-delay), responseTime: now, header: { headers[$0] })
    }

    private static let lifetimes: [(String, String, Int64)] = [
        ("cache-control", "max-age=60", 60),
        ("cache-control", "max-age=60, s-maxage=5", 60),
        ("cache-control", "max-age=x", 0),
        ("cache-control", "max-age=99999999999", 1 << 31),
        ("expires", "Mon, 06 May 2024 13:00:00 GMT", 3600),
        ("expires", "Mon, 06 May 2024 11:00:00 GMT", 0),
        ("expires", "0", 0),
        ("last-modified", "Mon, 06 May 2024 11:50:00 GMT", 60),
        ("last-modified", "Mon, 06 May 2014 11:50:00 GMT", 86_400),
        ("last-modified", "Mon, 06 May 2034 11:50:00 GMT", 0),
        ("x", "", 0),
    ]

    @Test(arguments: lifetimes)
    func `how long it is fresh`(name: String, value: String, seconds: Int64) {
        #expect(response([name: value]).freshnessLifetime == .seconds(seconds))
    }

    @Test func `max-age comes before Expires`() {
        let both = response([
            "cache-control": "max-age=60", "expires": "Mon, 06 May 2024 13:00:00 GMT",
        ])
        #expect(both.freshnessLifetime == .seconds(60))
    }

    @Test func `a guess needs a status that allows it`() {
        let headers = ["last-modified": "Mon, 06 May 2024 11:50:00 GMT"]
        #expect(response(headers, status: 404).freshnessLifetime == .seconds(60))
        #expect(response(headers, status: 403).freshnessLifetime == .zero)
        let told = headers.merging(["cache-control": "public"]) { $1 }
        #expect(response(told, status: 403).freshnessLifetime == .seconds(60))
    }

    @Test func `age is that of all caches together`() {
        #expect(response(["age": "10"], delay: 3).currentAge(at: at(5)) == .seconds(18))
        #expect(response(["date": at(-30).description]).currentAge(at: at(5)) == .seconds(35))
        #expect(response(["date": at(30).description]).currentAge(at: at(5)) == .seconds(5))
        #expect(response(["age": "-1"]).currentAge(at: at(-9)) == .zero)
        let cached = response(["cache-control": "max-age=60", "age": "50, 7"])
        #expect(cached.isFresh(at: at(9)) && !cached.isFresh(at: at(10)))
    }

    @Test func `what forbids`() {
        #expect(!response(["cache-control": "no-cache, max-age=60"]).isFresh(at: now))
        #expect(!response(["cache-control": "no-store, max-age=60"]).isStorable)
        #expect(response(["cache-control": "no-store, must-understand"]).isStorable)
        #expect(!response([:], status: 103).isStorable)
    }

    @Test func `what a range may be asked by`() {
        let cached = response([
            "etag": "W/\"a b\"", "last-modified": "Mon, 06 May 2024 11:50:00 GMT",
        ])
        #expect(cached.entityTag?.description == "W/\"a b\"" && cached.rangeValidator == nil)
        #expect(response(["etag": "\"x\""]).rangeValidator == "\"x\"")
        #expect(response(["last-modified": at(-59).description]).rangeValidator == nil)
        #expect(response(["last-modified": at(-60).description]).rangeValidator != nil)
        #expect(EntityTag("x")?.description == "\"x\"" && EntityTag("\"a\"b\"") == nil)
        #expect(EntityTag("\"\"")?.value == "" && EntityTag("") == nil)
    }

    @Test func `vary`() {
        #expect(Vary("Accept-Language, accept ,") == .fields(["accept", "accept-language"]))
        #expect(Vary("a, *") == .anything && Vary("") == .fields([]))
    }
}
