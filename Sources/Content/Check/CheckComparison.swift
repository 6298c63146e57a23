import Tenure
public import TenureFoundation
import Web

/// Two checks of a site: what is newly broken, what is mended, and what stays. Only what is
/// confirmed is told of; what is ignored now is left out of both.
public struct CheckComparison: Sendable, Hashable, Codable {
    /// One of the two.
    public struct Side: Sendable, Hashable, Codable {
        public let check: String
        public let startedAt: Date
        public let pages: Int
    }

    public let site: String
    public let folder: String?
    public let before: Side
    public let after: Side
    /// As the later check found them.
    public let new: [Finding]
    /// As the earlier check found them: well again, or referred to no more.
    public let mended: [Finding]
    /// As the later check found them.
    public let staying: [Finding]

    init(_ before: CheckReport, at start: Date, _ after: CheckReport, at restart: Date) {
        (site, folder) = (after.site, after.folder)
        self.before = Side(check: before.check, startedAt: start, pages: before.pages)
        self.after = Side(check: after.check, startedAt: restart, pages: after.pages)
        let known = Set(before.confirmed.map { Identity($0) })
        // What is doubted now is not mended: a second look will tell.
        let there = Set(after.findings.map { Identity($0) })
        new = after.confirmed.filter { !known.contains(Identity($0)) }
        staying = after.confirmed.filter { known.contains(Identity($0)) }
        // Where the target itself is wrong now, nobody could look for its fragments.
        let wrong = Set(
            after.findings.filter {
                $0.fragment == nil && !FindingCode.ofReferences.contains($0.code)
            }.map { Identity(targetOf: $0) })
        mended = before.confirmed.filter {
            !there.contains(Identity($0))
                && ($0.fragment == nil || !wrong.contains(Identity(targetOf: $0)))
        }
    }

    /// What makes two findings the same, whatever it is broken by: `404` that becomes `410` stays.
    private struct Identity: Hashable {
        let target: String
        let fragment: String?
        /// Of those that say nothing of how the target is.
        let code: String?

        init(_ finding: Finding) {
            // A folder's port changes.
            target = finding.file ?? finding.target
            fragment = finding.fragment
            code = FindingCode.ofReferences.contains(finding.code) ? finding.code : nil
        }

        init(targetOf finding: Finding) {
            (target, fragment, code) = (finding.file ?? finding.target, nil, nil)
        }
    }
}

extension SiteCheck {
    /// What has changed from one check of a site to another one.
    /// - Throws: `ContentError` with `.unknownCheck`, `.unfinishedCheck` or `.differentSites`.
    public func compare(_ before: UUID, with after: UUID) async throws -> CheckComparison {
        let (first, second) = (try await started(before), try await started(after))
        guard first.isComparable(with: second) else {
            throw ContentError(
                .differentSites,
                "the checks are of different sites, \(first.place) and \(second.place); give two "
                    + "of one")
        }
        let (earlier, later) = (
            try await kept(first, by: second.options.rules.ignore), try await kept(second)
        )
        guard first.options.looksAtTheSame(as: second.options) else {
            throw ContentError(
                .differentSites,
                "the checks looked at different things: their depth, their rules, or whether "
                    + "foreign hosts were asked, differs; give two that were made alike")
        }
        return CheckComparison(earlier, at: first.startedAt, later, at: second.startedAt)
    }

    /// What was kept of a check at its end, references having changed since.
    /// - Parameter rules: what is ignored; nil for the check's own.
    private func kept(
        _ check: StartedCheck, by rules: [KeptIgnoreRule]? = nil
    ) async throws -> CheckReport {
        let id = check.id.uuidString.lowercased()
        guard check.finishedAt != nil else {
            throw ContentError(
                .unfinishedCheck, "the check \(id) isn't finished; see tenure batch show \(id)")
        }
        let report = try await report(
            check, pool.execute(ListFindings(check: check.id)), by: rules)
        guard report.isComplete else {
            let why = report.wasCancelled ? "was cancelled" : "has not visited everything"
            throw ContentError(
                .unfinishedCheck, "the check \(id) \(why): what it knows can't be compared")
        }
        return report
    }
}

extension SiteCheckOptions {
    fileprivate func looksAtTheSame(as other: SiteCheckOptions) -> Bool {
        let asks = checksForeign && !(contact ?? "").isEmpty
        let othersAsk = other.checksForeign && !(other.contact ?? "").isEmpty
        return depth == other.depth && asks == othersAsk
            && rules.looksAtTheSame(as: other.rules)
    }
}

extension StartedCheck {
    fileprivate func isComparable(with other: StartedCheck) -> Bool {
        guard options.kind == other.options.kind, inputs == other.inputs else { return false }
        if folder != nil || other.folder != nil { return folder == other.folder }
        return options.kind == .site ? scope == other.scope : start.href == other.start.href
    }

    /// As they were named, where they are several.
    private var inputs: [String]? {
        guard let reach = options.reach, reach.isSeveral else { return nil }
        return reach.inputs.map(\.name)
    }

    /// Without secrets.
    fileprivate var place: String {
        let name = folder ?? URLRedaction.text(start.href)
        return folder == nil && options.kind == .links ? "the page \(name)" : name
    }
}
