import HTTPTransport
public import Tenure

/// How a site is checked. Kept with the run: every worker goes by it.
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
    /// public.
    public var allowedAddresses: [String] = []
    /// The least time between two requests to the checked site; zero for no limit of the check's.
    /// Somebody else's host is never asked faster than workers ask any.
    public var ownInterval: Double = 0
    /// The checked site is somebody else's: asked in its host's lane, as its robots.txt allows.
    var isForeign = false
    /// Seconds to the first byte of an answer; may only lower the worker's limit.
    public var firstByteSeconds: Double?
    /// Looks at a URL that fails in a way that may pass, before it counts.
    public var looks = 3
    /// The pause after the first of them; it doubles.
    public var pauseSeconds: Double = 1
    /// A foreign target that was well so many seconds ago isn't asked again.
    public var freshSeconds: Double = 3600
    /// How far from the start pages are followed.
    public var depth: Int?
    /// The queue of the run's jobs.
    public var queue = QueueName.default
    /// The queue of looks that come after the run; nil for the same. They confirm suspects.
    public var laterQueue: QueueName?

    public init() {}

    /// - Throws: `ContentError` with `.badOption`, naming the option.
    func validated() throws -> SiteCheckOptions {
        _ = try Self.blocks(allowedAddresses)
        guard (1...20).contains(looks) else {
            throw ContentError(.badOption, "looks is \(looks); give 1 to 20")
        }
        guard (0...31_536_000).contains(freshSeconds) else {
            throw ContentError(
                .badOption, "freshSeconds is \(freshSeconds); give 0 to 31536000, a year")
        }
        return self
    }

    static func blocks(_ texts: [String]) throws -> [CIDR] {
        do {
            return try texts.map { try CIDR($0) }
        } catch {
            throw ContentError(.badOption, "\(error)")
        }
    }
}
