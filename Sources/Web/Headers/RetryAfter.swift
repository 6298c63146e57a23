/// When a server wants to be asked again (RFC 9110, section 10.2.3).
public enum RetryAfter: Hashable, Sendable {
    case delay(Duration)
    case date(HTTPDate)

    public init?(_ text: String) {
        let bytes = Array(text.utf8).trimmingASCIIWhitespace()
        if !bytes.isEmpty, bytes.allSatisfy(\.isASCIIDigit) {
            let seconds = Int64(String(decoding: bytes, as: UTF8.self)) ?? .max
            // Bounded: by this line.
            self = .delay(.seconds(min(seconds, 1 << 31)))
        } else if let date = HTTPDate(text) {
            self = .date(date)
        } else {
            return nil
        }
    }

    /// How long to wait, if it is `now`; zero if the time has passed.
    public func delay(from now: HTTPDate) -> Duration {
        switch self {
        case .delay(let delay): delay
        // Bounded: dates are, by `HTTPDate`.
        case .date(let date): .seconds(max(0, date.secondsSince1970 - now.secondsSince1970))
        }
    }
}
