/// What rules leave of findings. The first rule that is about a place is named for it.
struct IgnoreSplit: Sendable {
    private(set) var counting: [Finding] = []
    private(set) var ignored: [IgnoredFinding] = []
    private(set) var ended: [IgnoreRule] = []

    init(_ findings: [Finding], by rules: [IgnoreRule]) {
        let holding = rules.filter { !$0.hasEnded }.map(IgnoreMatch.init)
        let over = rules.filter(\.hasEnded).map(IgnoreMatch.init)
        for finding in findings { split(finding, holding) }
        ended = over.filter { match in counting.contains { match.takes($0) != nil } }.map(\.rule)
    }

    private mutating func split(_ finding: Finding, _ rules: [IgnoreMatch]) {
        var rest = finding
        for match in rules {
            guard let taken = match.takes(rest) else { continue }
            var part = rest
            part.places = taken
            ignored.append(IgnoredFinding(rule: match.rule, finding: part))
            let left = (rest.placeCount ?? rest.places.count) - taken.count
            if match.isWhole || left <= 0 { return }
            let gone = Set(taken)
            rest.places.removeAll(where: gone.contains)
            // Of those that are not kept nobody knows: they count.
            rest.placeCount = left > rest.places.count ? left : nil
        }
        counting.append(rest)
    }
}

extension IgnoreMatch {
    /// The places of a finding that the rule is about; nil where it isn't about the finding. One
    /// without places is taken whole, unless the rule is for some pages alone.
    fileprivate func takes(_ finding: Finding) -> [FindingPlace]? {
        let names = [finding.target, finding.file].compactMap(\.self)
        guard covers(names, fragment: finding.fragment, code: finding.code) else { return nil }
        if isWhole { return finding.places }
        let places = finding.places.filter { place in
            covers(page: [place.page, place.file].compactMap(\.self))
        }
        return places.isEmpty ? nil : places
    }
}
