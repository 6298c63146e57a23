public import Tenure
import TenureFoundation
import Web

/// Fetches a URL and keeps what it brings: the document, its fields, what it refers to, what can
/// be referred to in it.
public struct ContentFetch: Job {
    public static let kind: JobKind = "content-fetch"
    /// A file has half an hour for its transfer; what else is fetched has limits of its own.
    public static let options = JobOptions<Self>(
        priority: ContentPriority.asked, retry: .exponential(maxAttempts: 25, first: .seconds(2)),
        timeout: .seconds(40 * 60), key: { .keeping($0.key) })

    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// A document, with its body.
        case article
        /// What there is to say of it, without its body.
        case metadata
        /// Its bytes, however many: in pieces, so that any worker can go on with them.
        case file
    }

    /// What becomes of content that is there already. A person's edits stay either way.
    public enum Merge: String, Sendable, Codable {
        /// A document that looks wrong is kept beside the old content, and doesn't replace it.
        case defensive
        /// Whatever was fetched counts.
        case replace
    }

    public let url: String
    public var mode: Mode
    /// Ask although what is known is fresh.
    public var force: Bool
    public var merge: Merge
    /// Stricter limits than the worker's; none of them can be raised.
    public var limits: FetchLimits?
    /// The item was deleted: the job takes the place of older ones of its key, and fetches nothing.
    var isDeleted: Bool?
    /// Only if the item is still missing: whether it is gone.
    var looksForMissing: Bool?
    /// Nobody has asked: only if the item is still there, and its site isn't paused.
    var isRefetch: Bool?

    public init(
        url: String, mode: Mode = .article, force: Bool = false, merge: Merge = .defensive
    ) {
        self.url = url
        self.mode = mode
        self.force = force
        self.merge = merge
    }

    init(deleted url: String, mode: Mode) {
        self.init(url: url, mode: mode)
        isDeleted = true
    }

    /// Only `url` has to be there: payloads are written by hand, too.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        mode = try container.decodeIfPresent(Mode.self, forKey: .mode) ?? .article
        force = try container.decodeIfPresent(Bool.self, forKey: .force) ?? false
        merge = try container.decodeIfPresent(Merge.self, forKey: .merge) ?? .defensive
        limits = try container.decodeIfPresent(FetchLimits.self, forKey: .limits)
        isDeleted = try container.decodeIfPresent(Bool.self, forKey: .isDeleted)
        looksForMissing = try container.decodeIfPresent(Bool.self, forKey: .looksForMissing)
        isRefetch = try container.decodeIfPresent(Bool.self, forKey: .isRefetch)
    }

    /// What it is about, if its limits can be used.
    func checkedURL() throws(ContentError) -> WebURL {
        if let problem = limits?.problem { throw ContentError(.badOption, problem) }
        do {
            return try WebURL.parse(url).withoutFragment
        } catch {
            throw ContentError(.refusedURL, URLRedaction.text("\(error)"))
        }
    }

    /// The fetch that comes a day after the document was missing.
    func lookForMissing(at url: String) -> ContentFetch {
        var look = ContentFetch(url: url, mode: mode, merge: merge)
        look.limits = limits
        look.looksForMissing = true
        return look
    }

    /// The fetch of an item that is due.
    init(refetching url: String, mode: Mode) {
        self.init(url: url, mode: mode)
        isRefetch = true
    }

    /// What the job is about: the normalised URL and the mode. A second look has another key, or
    /// whoever asks for the URL meanwhile would be given the look of tomorrow; and so has what
    /// nobody has asked for, or whoever asks would wait for its turn.
    public var key: String {
        let prefix = looksForMissing == true ? "again " : isRefetch == true ? "refetch " : ""
        return JobKey.make(prefix + mode.rawValue, url)
    }
}
