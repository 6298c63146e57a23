// docs/decisions/more-checks.md

/// What of links is looked at beyond whether they lead anywhere: each by itself.
public struct CheckAspects: Sendable, Codable, Hashable {
    /// Fragments, and passages of text, of foreign pages: those are asked for whole, then.
    public var foreignFragments = false
    /// Passages of text, `#:~:text=`, of pages of the checked site.
    public var text = true
    /// Whether a redirect for good is a finding. It is reported in any case.
    public var moved = false
    /// Foreign pages that say that they aren't there, with a status that says they are: those are
    /// asked for whole, then.
    public var softMissing = false
    /// Links to mail: whether they have addresses, and whether their domains take mail.
    public var mail = false
    /// `http://` on pages that are `https://`.
    public var insecureLinks = false

    public init() {}
}

extension CheckRules {
    /// Whether places in foreign pages are looked for.
    var looksIntoForeign: Bool { checksFragments && aspects.foreignFragments }
    /// Whether passages of text are.
    var looksForText: Bool { checksFragments && aspects.text }

    /// The codes of findings that a check by these rules doesn't look for, so that it can't say
    /// that they are mended.
    var unlooked: [String] {
        var codes: [String] = []
        if !looksForText { codes.append(FindingCode.missingText) }
        if !aspects.softMissing { codes.append(FindingCode.softMissing) }
        if !aspects.mail { codes += [FindingCode.badMail, FindingCode.noMailServer] }
        if !aspects.moved { codes.append(FindingCode.movedForGood) }
        if !aspects.insecureLinks {
            codes += [FindingCode.insecureLink, FindingCode.mixedContent]
        }
        return codes
    }
}
