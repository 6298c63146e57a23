public import TenureFoundation

/// Something that is wrong with a target, and every place that refers to it.
public struct Finding: Sendable, Hashable, Codable {
    /// The target's URL; as it is written, where it is none.
    public let target: String
    /// The file it would be, if the site is a folder.
    public let file: String?
    /// `404`, `redirectLoop`, `missingFragment`, `connectRefused`, `timeoutFirstByte`, `badURL`, …
    public let code: String
    public let status: Int?
    public let detail: String?
    /// The anchor that is missing.
    public let fragment: String?
    /// False for a foreign target that failed for the first time: a second look will tell.
    public let isConfirmed: Bool
    /// Whether a page breaks with it.
    public let isHard: Bool
    /// When it was first seen to be so, of the time that is going on now. Nil for what isn't
    /// remembered: a text that is no URL, or anything before the check's end.
    public let firstBrokenAt: Date?
    /// When the target, or its anchor, was last seen to be well.
    public let lastOkAt: Date?
    public var places: [FindingPlace]
    /// How many there were, where only the first are here: in what is kept of a check, and at the
    /// end of one with more than a worker holds.
    public var placeCount: Int?
}

/// What a rule keeps from counting: a finding, at all of its places or at some.
public struct IgnoredFinding: Sendable, Hashable, Codable {
    public let rule: IgnoreRule
    public let finding: Finding
}

/// Where a target is referred to.
public struct FindingPlace: Sendable, Hashable, Codable {
    public let page: String
    public let file: String?
    public let line: Int
    public let column: Int
    public let kind: String
    /// As it is written there.
    public let raw: String
    /// What a reader of the link sees.
    public let text: String?

    /// The `kind` of a place that is a line of a list, and no reference.
    public static let listKind = "list"

    /// The place in the file, whatever URL led there.
    var inFile: FindingPlace {
        guard let file else { return self }
        return FindingPlace(
            page: file, file: file, line: line, column: column, kind: kind, raw: raw, text: text)
    }
}
