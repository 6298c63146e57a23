import Content
import Tenure
import TenureFoundation

/// Breakage that is known: what a check finds beyond it is new. A finding is known by its target,
/// its code and the page it stands on, wherever on the page. A suspect isn't known: it is new once
/// it is confirmed.
struct Baseline: Codable {
    private struct Entry: Codable, Hashable {
        let code: String
        let target: String
        var fragment: String?
        let page: String?
    }
    private let known: Set<Entry>

    private enum CodingKeys: String, CodingKey { case known }

    init(_ report: CheckReport) {
        known = Set(report.confirmed.flatMap(Self.entries))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let entries = known.sorted {
            ($0.target, $0.code, $0.fragment ?? "", $0.page ?? "")
                < ($1.target, $1.code, $1.fragment ?? "", $1.page ?? "")
        }
        try container.encode(entries, forKey: .known)
    }

    /// - Returns: nil when there is no such file.
    static func read(_ file: String) throws -> Baseline? {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        do {
            let data = try Data(contentsOf: URL(filePath: file))
            return try JSONDecoder().decode(Baseline.self, from: data)
        } catch {
            throw Failure(
                "--baseline \(file) is no baseline; give a file that tenure check wrote, or "
                    + "delete it to have it written anew")
        }
    }

    func write(_ file: String) throws {
        do {
            try Data((JSONText.encode(self) + "\n").utf8).write(to: URL(filePath: file))
        } catch {
            throw Failure("--baseline \(file) can't be written: \(error)")
        }
    }

    /// What is new in a report: findings, and of known ones the places that are.
    func news(in report: CheckReport) -> CheckReport {
        var report = report
        report.findings = report.findings.compactMap { finding in
            var finding = finding
            guard !finding.places.isEmpty else {
                return known.contains(Self.entry(finding, page: nil)) ? nil : finding
            }
            finding.places = finding.places.filter { [finding] place in
                !known.contains(Self.entry(finding, page: place.name))
            }
            return finding.places.isEmpty ? nil : finding
        }
        return report
    }

    private static func entries(_ finding: Content.Finding) -> [Entry] {
        finding.places.isEmpty
            ? [entry(finding, page: nil)]
            : finding.places.map { entry(finding, page: $0.name) }
    }

    /// Files where there are some: a folder's port changes.
    private static func entry(_ finding: Content.Finding, page: String?) -> Entry {
        Entry(
            code: finding.code, target: finding.file ?? finding.target,
            fragment: finding.fragment, page: page)
    }
}

extension FindingPlace {
    /// Nil for a line of a list: what is known of a URL holds whatever list names it.
    fileprivate var name: String? { kind == Self.listKind ? nil : file ?? page }
}
