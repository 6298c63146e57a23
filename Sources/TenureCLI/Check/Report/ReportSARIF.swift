import Content
import Tenure
import TenureFoundation

/// A report as SARIF 2.1.0: a rule for each code, a result for each place.
///
/// A result is the same for whoever compares two logs when its code, its target and its page are:
/// not its line, which moves with everything above it. Of several links of a page to one target,
/// each is known by its turn.
struct ReportSARIF {
    private let root: SourceRoot
    private var rules: [String] = []
    private var results: [SARIFResult] = []
    private var turns: [String: Int] = [:]

    static func text(_ report: CheckReport, root: SourceRoot) throws -> String {
        var log = ReportSARIF(root)
        for finding in report.findings { log.add(finding) }
        for ignored in report.ignored { log.add(ignored.finding, ignored: ignored.rule) }
        for link in report.shownMoved { log.add(link) }
        return try log.text(
            isSuccessful: report.isComplete,
            SARIFRun.Properties(
                check: report.check, site: report.folder == nil ? report.site : nil,
                pages: report.pages,
                references: report.references,
                endedRules: report.endedRules.isEmpty ? nil : report.endedRules.map(\.ended)))
    }

    static func text(_ comparison: CheckComparison, root: SourceRoot) throws -> String {
        var log = ReportSARIF(root)
        for finding in comparison.new { log.add(finding, state: "new") }
        for finding in comparison.staying { log.add(finding, state: "unchanged") }
        for finding in comparison.mended { log.add(finding, state: "absent") }
        return try log.text(
            isSuccessful: true,
            SARIFRun.Properties(
                check: comparison.after.check,
                site: comparison.folder == nil ? comparison.site : nil,
                pages: comparison.after.pages))
    }

    private init(_ root: SourceRoot) { self.root = root }

    private func text(
        isSuccessful: Bool, _ properties: SARIFRun.Properties
    ) throws -> String {
        let base = SARIFRun.Base(description: SARIFText(text: "The root of the sources."))
        let driver = SARIFRun.Driver(
            semanticVersion: Database.release, rules: rules.map(Self.rule))
        let run = SARIFRun(
            tool: SARIFRun.Tool(driver: driver),
            invocations: [SARIFRun.Invocation(executionSuccessful: isSuccessful)],
            originalUriBaseIds: ["%SRCROOT%": base], results: results, properties: properties)
        return try JSONText.encode(SARIFLog(runs: [run]))
    }

    private static func rule(_ code: String) -> SARIFRule {
        let help = FindingHelp(code: code)
        return SARIFRule(
            id: code, shortDescription: SARIFText(text: help.title + "."),
            fullDescription: SARIFText(text: help.text), help: SARIFText(text: help.text))
    }

    private mutating func index(ofRule code: String) -> Int {
        if let index = rules.firstIndex(of: code) { return index }
        rules.append(code)
        return rules.count - 1
    }

    /// A note: nobody's build fails for it.
    private mutating func add(_ link: MovedLink) {
        let code = "movedForGood"
        let index = index(ofRule: code)
        for place in link.places {
            let advice = "\(code): \(link.shownFrom); write \(place.replacement)"
            results.append(
                SARIFResult(
                    ruleId: code, ruleIndex: index, level: "note",
                    message: SARIFText(text: Self.plain(advice)),
                    locations: [
                        location(
                            page: place.page, file: place.file, line: place.line,
                            column: place.column)
                    ],
                    partialFingerprints: fingerprints([
                        code, link.shownFrom, "", place.file ?? place.page,
                    ]),
                    properties: SARIFResult.Properties(
                        target: link.shownFrom, isHard: false, kind: place.kind, raw: place.raw)))
        }
    }

    private mutating func add(
        _ finding: Content.Finding, ignored rule: IgnoreRule? = nil, state: String? = nil
    ) {
        let index = index(ofRule: finding.code)
        let places: [FindingPlace?] = finding.places.isEmpty ? [nil] : finding.places
        for place in places {
            results.append(
                SARIFResult(
                    ruleId: finding.code, ruleIndex: index,
                    level: finding.isConfirmed ? "error" : "warning",
                    message: SARIFText(text: Self.message(finding, place)),
                    locations: [location(place, finding)],
                    partialFingerprints: fingerprints(finding, place),
                    suppressions: rule.map { rule in
                        [SARIFResult.Suppression(justification: rule.justification)]
                    },
                    baselineState: state,
                    properties: SARIFResult.Properties(
                        target: finding.shownName, isHard: finding.isHard, kind: place?.kind,
                        raw: place?.raw, firstBrokenAt: finding.firstBrokenAt.map(TimeText.exact),
                        lastOkAt: finding.lastOkAt.map(TimeText.exact))))
        }
    }

    private func location(
        _ place: FindingPlace?, _ finding: Content.Finding
    ) -> SARIFResult.Location {
        location(
            page: place?.page ?? finding.target, file: place.map(\.file) ?? finding.file,
            line: place?.line ?? 0, column: place?.column ?? 0)
    }

    private func location(
        page: String, file: String?, line: Int, column: Int
    ) -> SARIFResult.Location {
        var artifact = SARIFResult.Artifact(uri: SafeURI.url(page))
        if let path = root.path(ofFile: file) {
            artifact =
                path.hasPrefix("/")
                ? SARIFResult.Artifact(uri: "file://" + SafeURI.path(path))
                : SARIFResult.Artifact(uri: SafeURI.path(path), uriBaseId: "%SRCROOT%")
        }
        let region =
            line > 0 && column > 0
            ? SARIFResult.Region(startLine: line, startColumn: column) : nil
        return SARIFResult.Location(
            physicalLocation: SARIFResult.Physical(artifactLocation: artifact, region: region))
    }

    private mutating func fingerprints(
        _ finding: Content.Finding, _ place: FindingPlace?
    ) -> [String: String] {
        fingerprints([
            finding.code, finding.file ?? finding.target, finding.fragment ?? "",
            place.map { $0.file ?? $0.page } ?? "",
        ])
    }

    private mutating func fingerprints(_ parts: [String]) -> [String: String] {
        // With their lengths: no text ends where the next begins.
        let name = parts.map { "\($0.utf8.count):\($0)" }.joined()
        turns[name, default: 0] += 1
        let hash = Digest.sha256(of: name).prefix(16)
        let value = "\(Array(hash).hex):\(turns[name, default: 1])"
        // The second is what GitHub goes by; it would make one of the line's text.
        return ["tenureFinding/v1": value, "primaryLocationLineHash": value]
    }

    private static func message(_ finding: Content.Finding, _ place: FindingPlace?) -> String {
        let detail = finding.detail.map { " (\($0))" } ?? ""
        let words = place?.text.map { ", \"\($0)\"" } ?? ""
        let doubt = finding.isConfirmed ? "" : "; not sure yet"
        let weight = finding.isHard ? "; the page breaks with it" : ""
        return plain("\(finding.code): \(finding.shownName)\(detail)\(words)\(weight)\(doubt)")
    }

    /// Brackets are links in messages, and braces are places for arguments.
    private static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", "[", "]": plain.append(contentsOf: ["\\", scalar])
            case "{", "}": plain.append(contentsOf: [scalar, scalar])
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }
}
