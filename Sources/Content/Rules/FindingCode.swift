/// Codes of findings that more than one place here knows.
enum FindingCode {
    static let missingFragment = "missingFragment"
    static let missingText = "missingText"
    static let sameEverywhere = "sameEverywhere"
    /// Of foreign hosts; one's own pages are always looked at.
    static let softMissing = "foreignSoft404"
    static let movedForGood = "movedForGood"
    static let badMail = "badMail"
    static let noMailServer = "noMailServer"
    static let insecureLink = "insecureLink"
    static let mixedContent = "mixedContent"

    /// They say something of a reference, and nothing of how its target is: only the page that has
    /// it can tell.
    static let ofReferences = [
        "canonicalLoop", "badURL", movedForGood, insecureLink, mixedContent, sameEverywhere,
        badMail, noMailServer,
    ]
}
