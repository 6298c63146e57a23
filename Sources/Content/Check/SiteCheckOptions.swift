import HTTPTransport
public import Tenure
import TenureFoundation

/// How a site is checked. Kept with the check: every worker goes by it.
public struct SiteCheckOptions: Sendable, Codable, Hashable {
    public var kind = CheckKind.site
    /// A foreign target's first failure counts, without waiting for a second look. The checked
    /// site's own targets are always judged at once.
    public var strict = false
    /// Who answers for requests to foreign hosts. Without it they are not asked.
    public var contact: String?
    /// Whether foreign targets are looked at.
    public var checksForeign = true
    /// Blocks of addresses, `10.0.0.0/8`, at which the checked site may be although they aren't
    /// public, where the workers allow it: their own settings are the ceiling.
    public var allowedAddresses: [String] = []
    /// The least time between two requests to the checked site; zero for no limit of the check's.
    /// Somebody else's host is never asked faster than workers ask any.
    public var ownInterval: Double = 0
    /// Seconds to the first byte of an answer; may only lower the worker's limit.
    public var firstByteSeconds: Double?
    /// Seconds to the last byte of an answer, and bytes of it; may only lower the worker's limits.
    public var totalSeconds: Double?
    public var bodyBytes: Int?
    /// Looks at a URL that fails in a way that may pass, before it counts.
    public var looks = 3
    /// The pause after the first of them; it doubles.
    public var pauseSeconds: Double = 1
    /// A foreign target that was well so many seconds ago isn't asked again.
    public var freshSeconds: Double = 3600
    /// How far from the start pages are followed.
    public var depth: Int?
    /// Pages of the site, at most. What they refer to beyond that is left out and counted: sites
    /// that make up URLs for as long as somebody follows them are many.
    public var pages = SiteCheckOptions.usualPages
    public static let usualPages = 100_000
    public static let possiblePages = 1...100_000_000
    /// The queue of the check's jobs.
    public var queue = QueueName.default
    /// The queue of looks that come after the check; nil for the same. They confirm suspects.
    public var laterQueue: QueueName?
    /// What is looked at, what counts as well, and what requests say.
    public var rules = CheckRules()
    /// What it begins at beside its start; nil for a check of one site.
    var reach: CheckReach?
    /// Whether somebody started it: it goes before those that are due.
    var isAskedFor = true

    public init() {}

    var priority: JobPriority { isAskedFor ? ContentPriority.watched : ContentPriority.due }

    /// - Throws: `ContentError` with `.badOption`, naming the option.
    func validated() throws -> SiteCheckOptions {
        _ = try ContentConfiguration.blocks(allowedAddresses)
        try Bounds.check("allowedAddresses' count", allowedAddresses.count, 0...1000)
        try Bounds.check("contact's length", contact?.utf8.count, 0...1000)
        try Bounds.check("ownInterval", ownInterval, 0...86_400)
        try Bounds.check("firstByteSeconds", firstByteSeconds, 0.001...86_400)
        try Bounds.check("totalSeconds", totalSeconds, 0.001...86_400)
        try Bounds.check("bodyBytes", bodyBytes, 1...(1 << 40))
        try Bounds.check("looks", looks, 1...20)
        try Bounds.check("pauseSeconds", pauseSeconds, 0...3600)
        try Bounds.check("freshSeconds", freshSeconds, 0...31_536_000)
        try Bounds.check("depth", depth, 0...Place.deepest)
        try Bounds.check("pages", pages, Self.possiblePages)
        _ = try rules.validated()
        try reach?.validate()
        return self
    }

    /// As a check's row has them, which its producer wrote.
    /// - Throws: `ContentError` with `.badOption`, naming the option.
    static func decode(_ json: [UInt8]) throws -> SiteCheckOptions {
        let options: SiteCheckOptions
        do {
            options = try JSONDecoder().decode(SiteCheckOptions.self, from: Data(json))
        } catch {
            throw ContentError(.badOption, PayloadMismatch.text(error))
        }
        return try options.validated()
    }
}
