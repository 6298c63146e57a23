import Content
import Tenure
import TenureFoundation

/// Whether the sites that are watched are checked.
struct WatchedSitesCheck: Sendable {
    let sites: Sites

    func run() async -> Finding {
        do {
            return Self.judge(try await sites.list(), now: Date())
        } catch {
            return .fail("sites", ErrorLine.text(error), "The tables can't be read")
        }
    }

    private static func judge(_ sites: [Site], now: Date) -> Finding {
        if let site = sites.first(where: { $0.problem != nil }) {
            return .warn(
                "sites",
                "\(URLRedaction.text(site.url)) can't be checked: \(site.problem ?? "")",
                "Give its settings anew: tenure site change \(site.id.uuidString.lowercased())")
        }
        let late = sites.filter(\.isLate)
        guard let first = late.first, let begun = first.begunAt else {
            return .ok("sites", CountText.of(sites.count, "site") + " watched")
        }
        let age = DurationText.format(.seconds(now.timeIntervalSince(begun)))
        let more = late.count > 1 ? "; and \(late.count - 1) more" : ""
        let check = first.lastCheck.map { " \($0.uuidString.lowercased())" } ?? ""
        return .warn(
            "sites",
            "the check\(check) of \(URLRedaction.text(first.url)) runs for \(age), and it was "
                + "due again" + more,
            "See how far it is: tenure batch show\(check). A site that makes up URLs without an "
                + "end is bounded by --pages, --depth or --exclude of tenure site change; one "
                + "that is large is checked less often with --every")
    }
}

extension Site {
    /// It was due again while its check still ran.
    fileprivate var isLate: Bool {
        guard let begunAt, let skippedAt, finishedAt == nil, cancelledAt == nil else {
            return false
        }
        return skippedAt > begunAt
    }
}
