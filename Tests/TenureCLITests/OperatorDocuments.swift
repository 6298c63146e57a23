import Foundation
import Testing

@testable import TenureCLI

/// What operators are given to read and to load: dashboard, alert rules, pages. They have to name
/// what there is.
struct OperatorDocuments {
    private let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    func text(_ path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    /// That these scrapes, of all roles, show every figure and label that the documents name; and
    /// that the dashboard and the list of figures leave none of them out.
    func expect(_ scrapes: String...) throws {
        let scrape = scrapes.joined(separator: "\n")
        let shown = Set(scrape.matches(of: #/# TYPE (\w+)/#).map { String($0.1) })
        let dashboard = try figures("docs/operate/dashboard.json")
        let list = try figures("docs/commands.md")
        let pages = try ["alerts.yml", "containers.md", "day-two.md", "prometheus.yml"]
            .map { try figures("docs/operate/\($0)") }
        for named in pages + [dashboard, list] {
            #expect(named.isSubset(of: shown), "not shown: \(named.subtracting(shown))")
        }
        #expect(dashboard == shown, "not on the dashboard: \(shown.subtracting(dashboard))")
        #expect(list == shown, "not in docs/commands.md: \(shown.subtracting(list))")
        try expectLabels(scrape)
    }

    private func figures(_ path: String) throws -> Set<String> {
        let names = try text(path).matches(of: #/\btenure_[a-z_]+/#).map { String($0.0) }
        let figures = Set(names.map { $0.replacing(#/_(bucket|sum|count)$/#, with: "") })
        return figures.subtracting(ProductRole.allCases.map { "tenure_\($0.rawValue)" })
    }

    /// `tenure_runs_total{outcome=~"retryable|discarded"}`: each has to be there, with that figure.
    /// `by (queue)`: any figure's; `instance` and `le` come from Prometheus and its format.
    private func expectLabels(_ scrape: String) throws {
        let text = try ["dashboard.json", "alerts.yml"].map { try self.text("docs/operate/\($0)") }
            .joined().replacing("\\", with: "")
        var count = 0
        for selected in text.matches(of: #/(tenure_\w+)\{([^}]*)\}/#) {
            for label in selected.2.matches(of: #/(\w+)=~?"([^"]*)"/#) {
                for value in label.2.split(separator: "|") {
                    count += 1
                    let isShown = scrape.split(separator: "\n").contains {
                        $0.hasPrefix("\(selected.1){") && $0.contains("\(label.1)=\"\(value)\"")
                    }
                    #expect(isShown, "\(selected.1){\(label.1)=\"\(value)\"}")
                }
            }
        }
        #expect(count > 3)
        let labels = Set(scrape.matches(of: #/[{,](\w+)="/#).map { String($0.1) })
        let named = Set(
            text.matches(of: #/\bby ?\(([^)]*)\)/#).flatMap {
                $0.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            })
        let unknown = named.subtracting(labels).subtracting(["instance"])
        #expect(named.count > 3 && unknown.isEmpty, "\(unknown)")
    }
}

@Suite struct OperatorDocumentTests {
    @Test func `each alert says what it means and what to do, and no other is spoken of`() throws {
        let documents = OperatorDocuments()
        let rules = try documents.text("docs/operate/alerts.yml")
            .matches(of: #/- alert: (\w+)/#).map { String($0.1) }
        let page = try documents.text("docs/operate/day-two.md")
        let explained = page.split(separator: "\n### ").dropFirst().map {
            $0.split(separator: "\n", maxSplits: 1).map(String.init)
        }
        #expect(rules.count > 5)
        #expect(rules.sorted() == explained.map { $0[0] }.sorted())
        for one in explained where !(one.last ?? "").contains("`") {
            Issue.record("\(one[0]) names no command")
        }
        let mentioned = Set(page.matches(of: #/\bTenure[A-Z]\w+/#).map { String($0.0) })
        #expect(mentioned.subtracting(rules).isEmpty)
    }
}
