/// A rule with its patterns, ready to be compared with many findings.
struct IgnoreMatch: Sendable {
    let rule: IgnoreRule
    private let target: Glob
    private let page: Glob?

    init(_ rule: IgnoreRule) {
        self.rule = rule
        target = Glob(rule.target)
        page = rule.page.map { Glob($0) }
    }

    /// Whether it is about all places of such a finding.
    var isWhole: Bool { page == nil }

    /// - Parameter names: of the target: its URL, or its file.
    func covers(_ names: [String], fragment: String?, code: String) -> Bool {
        guard rule.code.map({ $0 == code }) ?? true else { return false }
        return names.contains { name in
            target.matches(name) || fragment.map { target.matches("\(name)#\($0)") } ?? false
        }
    }

    /// - Parameter names: of the page: its URL, or its file.
    func covers(page names: [String]) -> Bool {
        page.map { page in names.contains(where: page.matches) } ?? true
    }
}
