import Tenure
import TenureFoundation
import Web

/// What a check found. Its URLs are without secrets.
public struct CheckReport: Sendable, Hashable, Codable {
    /// The check's id.
    public let check: String
    public let site: String
    public let folder: String?
    /// What the check was asked to begin at, as it was named; nil for one that a schedule began.
    public let inputs: [CheckInput]?
    public let pages: Int
    /// What the pages refer to, with repetitions.
    public let references: Int
    /// URLs by how they are.
    public let targets: [String: Int]
    /// In the order of their targets.
    public var findings: [Finding]
    /// What redirects for good, with what to write instead. No findings, unless the check was to
    /// take them for some.
    public private(set) var moved: [MovedLink] = []
    /// Findings that don't count, because somebody said so.
    public private(set) var ignored: [IgnoredFinding] = []
    /// Rules that have ended, and would have kept findings of this report from counting.
    public private(set) var endedRules: [IgnoreRule] = []
    /// Whether everything was visited: the check is over, nothing was cancelled or given up, and
    /// the site let all of its pages through.
    public let isComplete: Bool
    public let wasCancelled: Bool
    /// Jobs whose attempts are spent: what they should have visited is missing.
    public let discardedJobs: Int
    /// Foreign targets that were left out because nobody was named who answers for the requests.
    public let skippedForContact: Int
    /// Pages that the site never let through: what they refer to is not known.
    public let unreadPages: Int
    /// URLs that the check's rules leave out.
    public let excluded: Int
    /// URLs that are well because the rules accept what they answer.
    public let accepted: Int
    /// Pages whose URLs repeat themselves (`/a/a/a/a/`): what they link to was not followed.
    public let endless: Int
    /// URLs that were left out because the check has as many pages as it may.
    public let beyondLimit: Int
    /// Links to mail of whose domains nobody could say, in time, whether they take any.
    public let unaskedMail: Int
    /// Why no page could be read at all, what to do about it included; nil if one was.
    public let startProblem: String?

    /// Findings that are sure.
    public var confirmed: [Finding] { findings.filter(\.isConfirmed) }

    init(
        _ check: StartedCheck, _ progress: CheckProgress, _ batch: BatchProgress?,
        start: StartVisit?, findings: [Finding], moved: [MovedLink] = []
    ) {
        let discarded = batch?.discarded ?? 0
        let isCancelled = check.cancelledAt != nil || batch?.cancelledAt != nil
        self.check = check.id.uuidString.lowercased()
        site = URLRedaction.text(check.start.href)
        folder = check.folder
        inputs = check.options.reach?.inputs.map {
            CheckInput(name: URLRedaction.text($0.name), pages: $0.pages)
        }
        pages = progress.pages
        references = progress.references
        targets = progress.targets.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
        discardedJobs = discarded
        wasCancelled = isCancelled
        isComplete =
            progress.unfinishedJobs == 0 && discarded == 0 && !isCancelled
            && progress.targets[.unchecked] == nil && progress.unreadPages == 0
        skippedForContact = progress.skippedForContact
        unreadPages = progress.unreadPages
        (excluded, accepted) = (progress.excluded, progress.accepted)
        endless = check.options.kind == .site ? progress.endless : 0
        (beyondLimit, unaskedMail) = (progress.beyondLimit, progress.unaskedMail)
        startProblem = start?.problem
        self.findings = findings
        self.moved = moved
    }

    /// The report without what the rules are about.
    func ignoring(_ rules: [IgnoreRule]) -> CheckReport {
        var report = self
        let split = IgnoreSplit(findings, by: rules)
        report.findings = split.counting
        report.ignored = split.ignored
        report.endedRules = split.ended
        return report
    }
}

extension Finding {
    /// Rows of one target and fragment are one finding; their order is kept within, and findings
    /// are put in the order of their targets.
    static func group(_ rows: [FoundPlace], _ check: StartedCheck) -> [Finding] {
        struct Key: Hashable {
            let target: String
            let code: String
            let fragment: String?
        }
        let files = FileNames(check)
        var order: [Key] = []
        var found: [Key: [FoundPlace]] = [:]
        for row in rows {
            let key = Key(target: row.target, code: row.code, fragment: row.fragment)
            if found[key] == nil { order.append(key) }
            found[key, default: []].append(row)
        }
        let findings = order.compactMap { found[$0].flatMap { Finding($0, files) } }
        return findings.sorted {
            ($0.target, $0.code, $0.fragment ?? "") < ($1.target, $1.code, $1.fragment ?? "")
        }
    }

    init?(_ rows: [FoundPlace], _ files: FileNames) {
        guard let first = rows.first else { return nil }
        target = URLRedaction.text(first.target)
        file = files.name(of: first.target)
        code = first.code
        status = first.status
        let isMoved = first.code == FindingCode.movedForGood
        detail = first.detail.map { (isMoved ? "to " : "") + URLRedaction.text($0) }
        fragment = first.fragment.map { String(URLRedaction.reference("#" + $0).dropFirst()) }
        isConfirmed = first.state != .suspect
        firstBrokenAt = first.firstBrokenAt
        lastOkAt = first.lastOkAt
        isHard = rows.contains(where: \.isHard)
        var seen: Set<FindingPlace> = []
        places = rows.compactMap { row in
            guard let page = row.page else { return nil }
            let file = files.name(of: page)
            let place = FindingPlace(
                page: URLRedaction.text(page), file: file, line: row.line, column: row.column,
                kind: row.kind, raw: URLRedaction.reference(row.raw),
                text: row.words.map(URLRedaction.text))
            // A file that is reached by several URLs needs mending once.
            return seen.insert(place.inFile).inserted ? place : nil
        }
        placeCount = first.placeCount > rows.count ? first.placeCount : nil
    }
}

/// From the URLs of a served folder back to its files.
struct FileNames: Sendable {
    private let origin: String
    private let isFolder: Bool

    init(_ check: StartedCheck) {
        origin = check.start.origin
        isFolder = check.folder != nil
    }

    func name(of href: String) -> String? {
        guard isFolder, let url = WebURL(href), url.origin == origin else { return nil }
        return SiteFolder.name(ofPath: url.path)
    }
}
