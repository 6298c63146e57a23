/// What a private cache may do with a response (RFC 9111), by the clock of the machine that has it.
///
/// `s-maxage`, `proxy-revalidate` and `private` are for caches that are shared, and don't count.
public struct CachedResponse: Sendable, Hashable {
    public var status: Int
    public var control: CacheControl
    /// When the request was sent and the head of the response came.
    public var requestTime: HTTPDate
    public var responseTime: HTTPDate
    public var date: HTTPDate?
    /// Given, though perhaps not to be read: then it has passed.
    public var expires: Expires?
    public var lastModified: HTTPDate?
    public var entityTag: EntityTag?
    /// How long it lay in other caches.
    public var age: Duration
    public var vary: Vary

    public enum Expires: Sendable, Hashable {
        case at(HTTPDate)
        case invalid
    }

    /// - Parameter header: the value of a field by its name in lower case; of several fields with
    ///   one name, all values with commas between them.
    public init(
        status: Int, requestTime: HTTPDate, responseTime: HTTPDate,
        header: (String) -> String?
    ) {
        self.status = status
        self.requestTime = requestTime
        self.responseTime = responseTime
        control = CacheControl(header("cache-control") ?? "")
        date = header("date").flatMap { HTTPDate($0) }
        expires = header("expires").map { text in
            HTTPDate(text).map { .at($0) } ?? .invalid
        }
        lastModified = header("last-modified").flatMap { HTTPDate($0) }
        entityTag = header("etag").flatMap { EntityTag($0) }
        age = CachedResponse.age(header("age") ?? "")
        vary = Vary(header("vary") ?? "")
    }

    /// Of a list the first counts; what is no number is ignored (section 5.1).
    private static func age(_ text: String) -> Duration {
        let first = Array(text.utf8.prefix { $0 != UInt8(ascii: ",") }).trimmingASCIIWhitespace()
        guard !first.isEmpty, first.allSatisfy(\.isASCIIDigit) else { return .zero }
        let seconds = Int64(String(decoding: first, as: UTF8.self)) ?? .max
        // Bounded: by this line.
        return .seconds(min(seconds, 1 << 31))
    }
}

extension CachedResponse {
    /// Whether it may be kept at all (section 3). `must-understand` overrides `no-store` for a
    /// status whose rules are known here.
    public var isStorable: Bool {
        guard status >= 200 else { return false }
        if control.noStore { return control.mustUnderstand && isHeuristic }
        return true
    }

    /// How long it is fresh, from when it was made (section 4.2.1).
    public var freshnessLifetime: Duration {
        if let maxAge = control.maxAge { return maxAge }
        switch expires {
        case .at(let time):
            let start = date ?? responseTime
            // Bounded: dates are, by `HTTPDate`.
            return .seconds(max(0, time.secondsSince1970 - start.secondsSince1970))
        case .invalid: return .zero
        case nil: return heuristicLifetime
        }
    }

    /// A tenth of the time since it last changed, at most a day (section 4.2.2).
    private var heuristicLifetime: Duration {
        guard isHeuristic || control.isPublic, let lastModified else { return .zero }
        let start = date ?? responseTime
        let unchanged = start.secondsSince1970 - lastModified.secondsSince1970
        // Bounded: by this line.
        return .seconds(min(max(0, unchanged / 10), 86_400))
    }

    /// The statuses that may be kept without being told so (RFC 9110, section 15.1).
    private var isHeuristic: Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// How old it is (section 4.2.3).
    public func currentAge(at now: HTTPDate) -> Duration {
        let apparent = date.map { max(0, responseTime.secondsSince1970 - $0.secondsSince1970) } ?? 0
        let delay = max(0, responseTime.secondsSince1970 - requestTime.secondsSince1970)
        let resident = max(0, now.secondsSince1970 - responseTime.secondsSince1970)
        // Bounded: sums of differences of dates, which are.
        return max(.seconds(apparent), age + .seconds(delay)) + .seconds(resident)
    }

    /// How long it may still be used unasked; not positive when it must be asked for again.
    public func remainingFreshness(at now: HTTPDate) -> Duration {
        if control.noCache || !isStorable { return .zero }
        return freshnessLifetime - currentAge(at: now)
    }

    public func isFresh(at now: HTTPDate) -> Bool { remainingFreshness(at: now) > .zero }

    /// What `If-Range` may name: a strong entity tag, or a date that is a minute older than the
    /// response (RFC 9110, section 8.8.2.2).
    public var rangeValidator: String? {
        if let entityTag { return entityTag.isWeak ? nil : entityTag.description }
        guard let lastModified, let date,
            date.secondsSince1970 - lastModified.secondsSince1970 >= 60
        else { return nil }
        return lastModified.description
    }
}
