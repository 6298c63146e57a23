public import Tenure
import TenureWorker

/// Finds out whether targets are there: one, some pages, or all of a site's.
///
/// Several jobs share the kind; a payload's `scope` says which of them it is.
public struct DependencyCheck: Job {
    public static let kind = JobKind.dependencyCheck
    public static let options = JobOptions<Self>(
        retry: TargetLook.options.retry, timeout: TargetLook.options.timeout,
        key: { $0.key.map { .keeping($0) } })

    enum Part: Sendable {
        case look(TargetLook)
        case begin(CheckBegin)
        case pages(PageVisits)
        case foreign(ForeignVisit)
        case places(PlaceVisit)
        case ended(CheckEnd)
        case changed(ChangeFollowUp)
        case site(SiteTick)
    }

    let part: Part

    /// A look at one target, on its own.
    public init(target url: String) { part = .look(TargetLook(url)) }

    private enum CodingKeys: String, CodingKey { case scope }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let scope = try container.decodeIfPresent(DependencyScope.self, forKey: .scope)
        part =
            switch scope {
            case nil, .target, .confirm: .look(try TargetLook(from: decoder))
            case .begin: .begin(try CheckBegin(from: decoder))
            case .pages: .pages(try PageVisits(from: decoder))
            case .foreign: .foreign(try ForeignVisit(from: decoder))
            case .places: .places(try PlaceVisit(from: decoder))
            case .ended: .ended(try CheckEnd(from: decoder))
            case .changed: .changed(try ChangeFollowUp(from: decoder))
            case .site: .site(try SiteTick(from: decoder))
            }
    }

    private var job: any DependencyJob {
        switch part {
        case .look(let job): job
        case .begin(let job): job
        case .pages(let job): job
        case .foreign(let job): job
        case .places(let job): job
        case .ended(let job): job
        case .changed(let job): job
        case .site(let job): job
        }
    }

    public func encode(to encoder: any Encoder) throws { try job.encode(to: encoder) }

    /// What the job is about: the normalised URL, the queue or the site. Nil for those of a check,
    /// which visits a URL once.
    public var key: String? {
        switch part {
        case .look(let look): look.key
        case .changed(let followUp): followUp.key
        case .site(let tick): tick.key
        case .begin, .pages, .foreign, .places, .ended: nil
        }
    }

    /// What it asks for.
    var urls: [String] {
        switch part {
        case .look(let look): [look.url]
        case .pages(let visits): visits.urls
        case .foreign(let visit): [visit.url]
        case .places(let visit): [visit.url]
        case .begin, .ended, .changed, .site: []
        }
    }
}
