import HTTPTransport
import Tenure
import TenureFoundation
import Testing
import Web

@testable import Content

/// Every number of a payload, of a check's options and of a header at its extremes, and all that
/// follows from it: it is refused by its name, or it is worked with. Nothing traps.
@Suite struct ExtremeTests {
    static let url = WebURL("http://a.example/b/c")!

    static var limits: FetchLimits {
        var limits = FetchLimits()
        (limits.urlBytes, limits.redirects, limits.headerBytes) = (1000, 5, 1000)
        (limits.connectSeconds, limits.firstByteSeconds) = (1.5, 2.5)
        (limits.stallSeconds, limits.totalSeconds) = (3.5, 4.5)
        (limits.wireBytes, limits.decodedBytes, limits.ratio) = (1000, 2000, 10)
        (limits.encodings, limits.depth, limits.nodes, limits.references) = (1, 10, 100, 50)
        return limits
    }

    static var fetch: ContentFetch {
        var fetch = ContentFetch(url: "http://a.example/b")
        (fetch.limits, fetch.isDeleted, fetch.looksForMissing) = (limits, false, false)
        fetch.isRefetch = false
        return fetch
    }

    static var checks: [any DependencyJob] {
        let (id, url) = (UUID(), "http://a.example/b")
        return [
            PageVisits([url], of: id, depth: 3, hops: 2),
            ForeignVisit(url, of: id, depth: 3, hops: 2).askingWhole,
            PlaceVisit(url, of: id, hops: 2),
            TargetLook(confirming: url, contact: "ada"), ChangeFollowUp(in: .default),
            CheckBegin(id), CheckEnd(id), SiteTick(id),
        ]
    }

    static var options: SiteCheckOptions {
        var options = SiteCheckOptions()
        (options.contact, options.firstByteSeconds, options.depth) = ("ada", 1.5, 4)
        (options.laterQueue, options.allowedAddresses) = ("later", ["10.0.0.0/8"])
        (options.totalSeconds, options.bodyBytes) = (2.5, 1000)
        options.rules.userAgent = "Mozilla/5.0"
        options.reach = CheckReach(
            inputs: [CheckInput(name: "a", pages: 1)], origins: ["http://b.test"],
            insides: ["http://b.test/"], isSeveral: true)
        return options
    }

    private func started(_ options: SiteCheckOptions) -> StartedCheck {
        StartedCheck(
            id: UUID(), start: Self.url, folder: nil, options: options, startedAt: Date(),
            finishedAt: nil, cancelledAt: nil)
    }

    // MARK: What follows

    static func work(on fetch: ContentFetch) throws {
        _ = (fetch.key, fetch.options(), fetch.lookForMissing(at: fetch.url).key)
        // Reason for `try?`: a number that no reader of JSON takes is refused, by its name.
        _ = try? NewJob(fetch)
        guard let limits = fetch.limits, limits.problem == nil else { return }
        let lowered = limits.lowering(HTTPLimits.file(maxBytes: .max))
        _ = (lowered.total - .seconds(1), limits.lowering(HTMLLimits()))
        var meter = BodyLimits(lowered)
        meter.count()
        var trail = Trail(next: url.href)
        trail.hops = [Trail.Hop(url: url.href, status: 301)]
        _ = try Hops(limits: limits, trail: trail).json()
    }

    /// Sums that are made of limits.
    private struct BodyLimits {
        var limits: HTTPLimits
        init(_ limits: HTTPLimits) { self.limits = limits }
        mutating func count() {
            let end = ContinuousClock.now + limits.total
            _ = (end + limits.connect, limits.stall / 8, limits.firstByte / .milliseconds(1))
        }
    }

    private func work(on job: DependencyCheck) throws {
        _ = (job.key, try NewJob(job))
        guard case .pages(let visits) = job.part else { return }
        let check = started(Self.options)
        let place = Place(check: check, url: Self.url, depth: visits.depth, hops: visits.hops)
        let next = Place(check: check, url: Self.url, depth: place.depth + 1, hops: place.hops + 1)
        for place in [place, next] {
            _ = check.follows(.inside, depth: place.depth)
            let visits = [PlannedVisit(Self.url, of: check, depth: place.depth)]
            var parameters = PostgresParameters()
            try AddVisits(check: check.id, depth: place.depth, hops: place.hops, visits: visits)
                .bind(&parameters)
            try SpreadCheck(check: check, depth: place.depth, hops: place.hops, pages: []).bind(
                &parameters)
        }
        // What a check at the end of the world enqueues is a payload again.
        if check.follows(.inside, depth: place.depth) {
            let job = PageVisits([], of: check.id, depth: next.depth, hops: 0)
            _ = try JSONDecoder().decode(DependencyCheck.self, from: JSONEncoder().encode(job))
        }
    }

    private func work(on options: SiteCheckOptions) throws {
        let check = started(options)
        _ = check.limits(HTTPLimits())
        for failures in [Int.min, -1, 0, 1, 10, .max] {
            _ = check.pause(afterFailures: failures) + .seconds(60)
        }
        for depth in [0, Place.deepest, Int(Int32.max), .max] {
            _ = check.follows(.inside, depth: depth)
        }
        var parameters = PostgresParameters()
        try SpreadCheck(check: check, depth: 0, hops: 0, pages: []).bind(&parameters)
        try StartCheck(check: check, visits: []).bind(&parameters)
        _ = try ContentConfiguration().addresses(ofSite: options)
        _ = (check.reasonToSkipForeign, ContentConfiguration().userAgent(for: options.contact))
    }

    // MARK: Payloads and options

    @Test func `every number of a fetch's payload`() throws {
        Extremes.expectComplete(Self.fetch)
        var decoded = 0
        for text in try Extremes.texts(of: Array(JSONEncoder().encode(Self.fetch))) {
            // Reason for `try?`: what is no payload is held, and says why.
            guard let fetch = try? JSONDecoder().decode(ContentFetch.self, from: Data(text.utf8))
            else { continue }
            decoded += 1
            try Self.work(on: fetch)
        }
        #expect(decoded > 100)
    }

    @Test func `every number of a check's payload`() throws {
        var decoded = 0
        for check in Self.checks { Extremes.expectComplete(check) }
        let payloads = try Self.checks.map { Array(try JSONEncoder().encode($0)) }
        for text in try payloads.flatMap({ try Extremes.texts(of: $0) }) {
            // Reason for `try?`: as above.
            guard let check = try? JSONDecoder().decode(DependencyCheck.self, from: Data(text.utf8))
            else { continue }
            decoded += 1
            try work(on: check)
        }
        #expect(decoded > 5)
    }

    @Test func `every number of a discovery's payload`() throws {
        let job = ContentDiscovery(UUID(), url: "http://a.example/map.xml", depth: 2)
        Extremes.expectComplete(job)
        for text in try Extremes.texts(of: Array(JSONEncoder().encode(job))) {
            // Reason for `try?`: as above.
            guard let job = try? JSONDecoder().decode(ContentDiscovery.self, from: Data(text.utf8))
            else { continue }
            let next = ContentDiscovery(job.site, url: job.url, depth: job.depth + 1)
            _ = (next.key, try NewJob(next))
        }
    }

    @Test func `every number of a check's options`() throws {
        Extremes.expectComplete(Self.options)
        var decoded = 0
        for text in try Extremes.texts(of: Array(JSONEncoder().encode(Self.options))) {
            do {
                try work(on: SiteCheckOptions.decode(Array(text.utf8)))
                decoded += 1
            } catch let error as ContentError {
                #expect(error.code == .badOption, "\(text)")
            }
        }
        #expect(decoded > 20)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func `what is no number is out of every range`(number: Double) throws {
        let changes: [(inout SiteCheckOptions) -> Void] = [
            { $0.ownInterval = number }, { $0.firstByteSeconds = number },
            { $0.pauseSeconds = number }, { $0.freshSeconds = number },
        ]
        for change in changes {
            var options = Self.options
            change(&options)
            #expect(throws: ContentError.self) { try options.validated() }
            // And whoever asks without having looked gets an answer, too.
            _ = (started(options).limits(HTTPLimits()), started(options).pause(afterFailures: 3))
        }
        #expect(Duration.clamped(seconds: number) >= .seconds(-2_000_000_000))
        var limits = FetchLimits()
        limits.totalSeconds = number
        #expect(limits.problem != nil)
        _ = limits.lowering(HTTPLimits())
    }

    @Test(arguments: [
        "data:", "mailto:a@b", "javascript:x", "http://u:p@a.example/", "nonsense", "",
    ])
    func `a check that starts at no page has no scope that traps`(start: String) throws {
        if let url = WebURL(start) { _ = Scope(start: url) }
        #expect(throws: (any Error).self) { try CheckableURL.parse(start) }
    }

    // MARK: Headers

    private static let counts = Extremes.numbers + ["", "+5", "5, 5", " 5", "0x10", "٣", "5;6"]

    @Test func `every header with a number that a file's answer has`() throws {
        let places: [Int64] = [0, 1, 7, ByteCount.most - 1]
        for count in Self.counts {
            for (status, place) in [200, 206, 304, 416].flatMap({ status in
                places.map { (status, $0) }
            }) {
                for range in [
                    "bytes \(place)-\(count)/*", "bytes \(place)-\(count)/\(count)",
                    "bytes \(count)-\(count)/\(count)", "bytes */\(count)", "bytes \(count)-/*",
                    "bytes \(place)-9/\(count)",
                ] {
                    let headers: HTTPHeaders = [
                        "Content-Range": range, "Content-Length": count, "Age": count,
                        "Cache-Control": "max-age=\(count)", "Retry-After": count,
                        "ETag": "\"\(count)\"", "Content-Type": "text/html; charset=\(count)",
                    ]
                    try answer(status, headers, at: place)
                }
            }
        }
    }

    private func answer(_ status: Int, _ headers: HTTPHeaders, at place: Int64) throws {
        let response = HTTPResponse(status: status, headers: headers, url: Self.url.href)
        let download = Download(
            id: 1, received: place, total: nil, validator: "\"a\"", hash: SHA256(),
            head: FileHead(finalURL: Self.url.href, mediaType: nil, etag: nil, lastModified: nil))
        for asked in [nil, download] {
            let reply = FileReply(response, asked: asked, now: .now)
            _ = reply.bytes + 4 << 20
            if case .rest(let total, let stop) = reply {
                #expect(stop > place && total ?? stop >= stop)
            }
        }
        let kept = ResponseHeaders(headers)
        var parameters = PostgresParameters()
        try parameters.append(kept.freshness(nil))
        let delay = headers["Retry-After"].flatMap { RetryAfter($0) }?.delay(from: .now)
        try parameters.append(HostLane.pause(delay) + .milliseconds(50))
    }

    @Test func `every date that a header, a page or a feed has`() throws {
        let years = ["0000", "0001", "1969", "1970", "2038", "9999", "10000", "1000000000", "-1"]
        for year in years + Extremes.numbers {
            for text in [
                "Sun, 06 Nov \(year) 08:49:37 GMT", "Sunday, 06-Nov-\(year) 08:49:37 GMT",
                "Sun Nov  6 08:49:37 \(year)", "\(year)-01-01T00:00:00+23:59",
                "\(year)-12-31T24:00:00-23:59", "6 May \(year) 07:08 -2359", "\(year)",
                "\(year) May 2024", "6 May 2024 \(year):00",
            ] {
                let date = HTTPDate(text) ?? DateText.parse(text)
                guard let date else { continue }
                _ = (date.description, DateTimeText.text(date))
                let cached = CachedResponse(
                    status: 200, requestTime: date, responseTime: date, header: { _ in text })
                _ = (cached.remainingFreshness(at: .now), cached.currentAge(at: .now))
                _ = RetryAfter.date(date).delay(from: HTTPDate(secondsSince1970: .min))
            }
        }
        for seconds in [Int64.min, .max, 0] {
            let date = HTTPDate(secondsSince1970: seconds)
            _ = (date.description, RetryAfter.date(date).delay(from: .now))
        }
    }

    @Test func `every number of a robots.txt and of linked data`() throws {
        for number in Self.counts {
            let robots = Robots(Array("User-agent: *\nCrawl-delay: \(number)\n".utf8))
            _ = (robots.policy(for: "tenure").crawlDelay ?? .zero) + .seconds(1)
            let page = """
                <script type="application/ld+json">{"@type": "Article", "headline": \(number),
                "datePublished": \(number), "wordCount": \(number)}</script>
                <meta http-equiv=refresh content="\(number);url=/x">
                <img srcset="/a \(number)w, /b \(number)x"><p>&#\(number);</p>
                <svg style="a: url(x\\\(number) )"></svg><ol start=\(number)><li value=\(number)>
                """
            let document = FetchedDocument(
                url: Self.url, headers: [:], mediaType: MediaType("text/html"),
                body: Array(page.utf8))
            _ = Extract(document, asked: Self.url)
        }
    }
}
