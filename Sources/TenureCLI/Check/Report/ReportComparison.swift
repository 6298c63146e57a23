import Content
import Tenure

/// Two checks compared, for people.
enum ReportComparison {
    static func text(_ comparison: CheckComparison, folder: String?) -> String {
        let parts = [
            ("newly broken", comparison.new), ("mended", comparison.mended),
            ("still broken", comparison.staying),
        ]
        let blocks = parts.filter { !$0.1.isEmpty }.map { title, findings in
            ([title.uppercased(), ""]
                + findings.flatMap { ReportText.lines($0, folder) + [""] }).joined(separator: "\n")
        }
        return (blocks + [comparison.summary(folder)]).joined(separator: "\n")
    }

    static func markdown(_ comparison: CheckComparison, folder: String?) -> String {
        let title = "# Links of \(ReportMarkdown.code(folder ?? comparison.site))"
        let parts = [
            ("Newly broken", comparison.new), ("Mended", comparison.mended),
            ("Still broken", comparison.staying),
        ]
        let tables = parts.filter { !$0.1.isEmpty }.map { title, findings in
            "## \(title)\n\n\(ReportMarkdown.table(findings))"
        }
        return ([title, comparison.counts] + tables).joined(separator: "\n\n")
    }
}

extension CheckComparison {
    /// `1 newly broken, 2 mended, 3 still broken`
    var counts: String {
        "\(new.count) newly broken, \(mended.count) mended, \(staying.count) still broken"
    }

    func summary(_ folder: String?) -> String {
        "\(folder ?? site), from \(TimeText.full(before.startedAt)) "
            + "to \(TimeText.full(after.startedAt)): \(counts)"
    }
}
