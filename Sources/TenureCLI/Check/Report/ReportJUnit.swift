import Content

/// A report as CI servers read it: a test case for each finding, or one that passed.
enum ReportJUnit {
    static func text(_ report: CheckReport) -> String {
        let failures = report.confirmed.count
        let known =
            report.findings.map { testCase($0) }
            + report.ignored.map { ignored in
                testCase(ignored.finding, ignoredBy: ignored.rule)
            }
        let cases = known + (report.shortfall.map { [unfinished($0)] } ?? [])
        let errors = cases.count - known.count
        let total = max(cases.count, 1)
        let name = escaped(report.shownName ?? report.folder ?? report.site)
        let clean = "    <testcase classname=\"links\" name=\"every target\"/>"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites tests="\(total)" failures="\(failures)" errors="\(errors)">
              <testsuite name="\(name)" tests="\(total)" \
            failures="\(failures)" errors="\(errors)" skipped="\(known.count - failures)">
            \((cases.isEmpty ? [clean] : cases).joined(separator: "\n"))
              </testsuite>
            </testsuites>
            """
    }

    /// A server that reads nothing else of the report is not to take the rest for well.
    private static func unfinished(_ shortfall: String) -> String {
        "    <testcase classname=\"links\" name=\"the whole check\">"
            + "<error type=\"incomplete\" message=\"\(escaped(shortfall))\"/></testcase>"
    }

    /// One that isn't confirmed yet is skipped, or is ignored: it fails nobody's build.
    private static func testCase(
        _ finding: Content.Finding, ignoredBy rule: IgnoreRule? = nil
    ) -> String {
        let places = finding.places.map { "\($0.spot): \($0.kind) \($0.raw)" }
        let message = escaped(finding.detail ?? finding.code)
        let body = escaped(places.joined(separator: "\n"))
        let doubt = escaped(rule.map { "ignored by \($0.words)" } ?? "not sure yet")
        let result =
            finding.isConfirmed && rule == nil
            ? "<failure type=\"\(escaped(finding.code))\" message=\"\(message)\">\(body)</failure>"
            : "<skipped message=\"\(message), \(doubt)\"/>"
        return "    <testcase classname=\"links.\(escaped(finding.code))\" "
            + "name=\"\(escaped(finding.shownName))\">\(result)</testcase>"
    }

    /// XML 1.0 has no way at all to write most control characters.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
