import FoundationEssentials
public import Tenure

/// Fetches a URL and keeps what it brings: the document, what it refers to, what can be referred
/// to in it. As part of a check run it visits a page of the run.
public struct ContentFetch: Job {
    public static let kind: JobKind = "content-fetch"
    public static let retry = RetryPolicy.exponential(maxAttempts: 25, first: .seconds(2))
    public static let timeout: Duration? = .seconds(600)

    public enum Mode: String, Sendable, Codable {
        /// A document, with its body.
        case article
        /// What there is to say of it, without its body.
        case metadata
    }

    public let url: String
    public var mode: Mode
    /// Ask although what is known is fresh.
    public var force: Bool
    /// The check run this visit belongs to.
    var run: UUID?
    var depth: Int?
    var hops: Int?
    /// The redirects on the way to another host's lane.
    var trail: Trail?

    public init(url: String, mode: Mode = .article, force: Bool = false) {
        self.url = url
        self.mode = mode
        self.force = force
    }

    /// Only `url` has to be there: payloads are written by hand, too.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        mode = try container.decodeIfPresent(Mode.self, forKey: .mode) ?? .article
        force = try container.decodeIfPresent(Bool.self, forKey: .force) ?? false
        run = try container.decodeIfPresent(UUID.self, forKey: .run)
        depth = try container.decodeIfPresent(Int.self, forKey: .depth)
        hops = try container.decodeIfPresent(Int.self, forKey: .hops)
        trail = try container.decodeIfPresent(Trail.self, forKey: .trail)
    }

    func following(_ trail: Trail) -> ContentFetch {
        var copy = self
        copy.trail = trail
        return copy
    }

    /// What the job is about: the normalised URL and the mode.
    public var key: String { JobKey.make(mode.rawValue, url, run: run) }
}
