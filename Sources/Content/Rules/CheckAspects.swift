// docs/decisions/more-checks.md

/// What of links is looked at beyond whether they lead anywhere: each by itself.
public struct CheckAspects: Sendable, Codable, Hashable {
    /// Fragments, and passages of text, of foreign pages: those are asked for whole, then.
    public var foreignFragments = false
    /// Passages of text, `#:~:text=`, of pages of the checked site.
    public var text = true
    /// Whether a redirect for good is a finding. It is reported in any case.
    public var moved = false
    /// `http://` on pages that are `https://`.
    public var insecureLinks = false

    public init() {}
}

extension CheckRules {
    /// Whether something in foreign pages is looked for.
    var looksIntoForeign: Bool { checksFragments && aspects.foreignFragments }
    /// Whether passages of text are.
    var looksForText: Bool { checksFragments && aspects.text }

    /// The codes of findings that a check by these rules doesn't look for, so that it can't say
    /// that they are mended.
    var unlooked: [String] {
        var codes: [String] = []
        if !looksForText { codes.append(FindingCode.missingText) }
        if !aspects.moved { codes.append(FindingCode.movedForGood) }
        if !aspects.insecureLinks {
            codes += [FindingCode.insecureLink, FindingCode.mixedContent]
        }
        return codes
    }
}
