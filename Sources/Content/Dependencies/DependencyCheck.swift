import FoundationEssentials
public import Tenure

/// Finds out whether targets are there: one, some pages, or all of a site's.
public struct DependencyCheck: Job {
    public static let kind: JobKind = "dependency-check"
    public static let retry = RetryPolicy.exponential(maxAttempts: 25, first: .seconds(2))
    public static let timeout: Duration? = .seconds(600)

    public enum Scope: String, Sendable, Codable {
        /// The root of a check run: starts its first visits.
        case site, links
        /// One URL: HEAD, then GET where a server refuses that.
        case target
        /// The same for one that is suspect; for any other there is nothing to do.
        case confirm
        /// Some pages of a run, and what they refer to.
        case pages
        /// Nothing of a run is left to do.
        case ended
        /// What follows from changes of items.
        case changed
    }

    public let scope: Scope
    public var url: String
    /// Of pages: all of them, `url` is the first.
    var urls: [String]?
    var run: UUID?
    var depth: Int?
    var hops: Int?
    /// Of a run's target: not for its head alone, that was refused.
    var asksWhole: Bool?
    /// Who answers for the request; nil for the worker's own.
    var contact: String?
    /// Whose items have changed.
    var queue: String?

    /// A look at one target, on its own.
    public init(target url: String) {
        scope = .target
        self.url = url
    }

    /// What follows from the changes of items that a queue's jobs have made.
    init(changesIn queue: QueueName) {
        scope = .changed
        url = ""
        self.queue = queue.rawValue
    }

    /// Another look at a suspect.
    init(confirming url: String, contact: String?) {
        scope = .confirm
        self.url = url
        self.contact = contact
    }

    /// Those that may wait for a target outside of runs.
    static func looks(at url: String) -> [DependencyCheck] {
        [DependencyCheck(target: url), DependencyCheck(confirming: url, contact: nil)]
    }

    init(scope: Scope, url: String, run: UUID) {
        self.scope = scope
        self.url = url
        self.run = run
    }

    init(pages: [String], run: UUID, depth: Int, hops: Int) {
        scope = .pages
        url = pages.first ?? ""
        urls = pages
        (self.run, self.depth, self.hops) = (run, depth, hops)
    }

    /// Only `url` has to be there: payloads are written by hand, too.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scope = try container.decodeIfPresent(Scope.self, forKey: .scope) ?? .target
        url = try container.decode(String.self, forKey: .url)
        urls = try container.decodeIfPresent([String].self, forKey: .urls)
        run = try container.decodeIfPresent(UUID.self, forKey: .run)
        depth = try container.decodeNumber(in: 0...Place.deepest, forKey: .depth)
        hops = try container.decodeNumber(in: 0...Place.mostHops, forKey: .hops)
        asksWhole = try container.decodeIfPresent(Bool.self, forKey: .asksWhole)
        contact = try container.decodeIfPresent(String.self, forKey: .contact)
        queue = try container.decodeIfPresent(String.self, forKey: .queue)
    }

    var askingWhole: DependencyCheck {
        var copy = self
        copy.asksWhole = true
        return copy
    }

    /// What the job is about: the normalised URL, or the queue.
    public var key: String { JobKey.make(scope.rawValue, queue ?? url, run: run) }
}
