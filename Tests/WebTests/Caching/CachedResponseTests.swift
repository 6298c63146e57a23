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

    @Test func `stale is better than nothing, unless told otherwise`() {
        let plain = response(["cache-control": "max-age=60"])
        #expect(plain.mayServeOnError(at: at(1000)) && !plain.mayServeWhileRevalidating(at: at(61)))
        let must = response(["cache-control": "max-age=60, must-revalidate, stale-if-error=99"])
        #expect(must.mayServeOnError(at: at(59)) && !must.mayServeOnError(at: at(61)))
        let proxy = response(["cache-control": "max-age=60, proxy-revalidate"])
        #expect(proxy.mayServeOnError(at: at(61)))
        let both = response([
            "cache-control": "max-age=60, stale-while-revalidate=10, stale-if-error=20"
        ])
        #expect(both.mayServeWhileRevalidating(at: at(69)))
        #expect(!both.mayServeWhileRevalidating(at: at(70)))
        #expect(both.mayServeOnError(at: at(79)) && !both.mayServeOnError(at: at(80)))
    }

    @Test func `validators`() {
        let cached = response([
            "etag": "W/\"a b\"", "last-modified": "Mon, 06 May 2024 11:50:00 GMT",
        ])
        #expect(cached.validators.map(\.name) == ["If-None-Match", "If-Modified-Since"])
        #expect(cached.validators.first?.value == "W/\"a b\"" && cached.rangeValidator == nil)
        #expect(response(["etag": "\"x\""]).rangeValidator == "\"x\"")
        #expect(response(["last-modified": at(-59).description]).rangeValidator == nil)
        #expect(response(["last-modified": at(-60).description]).rangeValidator != nil)
        #expect(EntityTag("x")?.description == "\"x\"" && EntityTag("\"a\"b\"") == nil)
        #expect(EntityTag("\"\"")?.value == "" && EntityTag("") == nil)
        let weak = EntityTag("W/\"x\"")!
        let strong = EntityTag("\"x\"")!
        #expect(weak.matchesWeakly(strong) && !weak.matchesStrongly(strong))
    }

    @Test func `vary`() {
        let vary = Vary("Accept-Language, accept ,")
        #expect(vary == .fields(["accept", "accept-language"]))
        let first = ["accept": "a,  b"]
        #expect(vary.allows(first: { first[$0] }, second: { ["accept": "a,b"][$0] }))
        #expect(!vary.allows(first: { first[$0] }, second: { ["accept": "b,a"][$0] }))
        #expect(!Vary("a, *").allows(first: { _ in nil }, second: { _ in nil }))
        #expect(Vary("").allows(first: { _ in "a" }, second: { _ in nil }))
    }
}
