import Tenure
public import TenureCoordinator
public import TenureFoundation
import Web

/// A site that is watched: checked again and again, and people hear of what broke.
public struct Site: Sendable {
    public let id: UUID
    /// Where its checks begin: whole, with whatever secrets are in it.
    public let url: String
    public let addedAt: Date
    public let addedBy: String
    /// How it is checked; nil where that can't be read.
    public let options: SiteCheckOptions?
    /// Why it can't be checked as it stands: what of it can't be read.
    public let problem: String?
    /// The channels that its notices go to, by name.
    public let channels: [String]
    /// Whether pages whose links or headings are others are news, too.
    public let tellsChanges: Bool
    /// How long after its tick a check begins; zero where that can't be read.
    public let spread: Duration
    public let lastCheck: UUID?
    /// When its last check began, and ended.
    public let begunAt: Date?
    public let finishedAt: Date?
    public let cancelledAt: Date?
    /// The last time that it was due and wasn't checked, and why.
    public let skippedAt: Date?
    public let skippedWhy: String?
    /// Since when what is new is told: the end of the first complete check.
    public let knownAt: Date?
    /// How many findings are known.
    public let broken: Int
    public let lastNotice: UUID?
    public let lastNoticeAt: Date?
    /// How its items are fetched again; nil where they aren't.
    public let refetch: SiteRefetch?
    /// Where that stands, when one site was asked for.
    public internal(set) var refetchProgress: SiteRefetch.Progress?
    /// When it is due; nil where somebody has removed its schedule.
    public internal(set) var schedule: ScheduleStatus?

    /// When its next check begins, if a coordinator and a worker run; nil while it is paused.
    public var nextAt: Date? {
        guard let schedule, schedule.pausedAt == nil else { return nil }
        let delay = spread / .seconds(1)
        // A tick that waits for its share of the hour.
        if let waiting = schedule.firedAt?.addingTimeInterval(delay), waiting > Date() {
            return waiting
        }
        return schedule.nextAt.addingTimeInterval(delay)
    }

    /// The name of its schedule.
    static func schedule(of id: UUID) -> String { SiteTick.key(of: id) }

    /// A thousand sites whose ticks fall together are spread over this time, and over half of
    /// their interval at most.
    static let longestSpread: Duration = .seconds(3600)

    static func spread(of id: UUID, interval: Duration) -> Duration {
        // Milliseconds: what people read of it is no shorter.
        let span = min(interval / 2, longestSpread) / .milliseconds(1)
        // Bounded: by an hour.
        return .milliseconds(Int(IDShare.share(of: id) * max(0, span)))
    }
}

/// Which site.
public enum SiteName: Sendable {
    case url(String)
    case id(UUID)

    /// What somebody wrote: an id, or a URL.
    public init(_ text: String) {
        self = UUID(uuidString: text).map { .id($0) } ?? .url(text)
    }

    /// - Throws: `ContentError` with `.refusedURL`.
    func id() throws -> UUID {
        switch self {
        case .id(let id): id
        case .url(let url): Digest.id(of: try CheckableURL.parse(url).href)
        }
    }
}
