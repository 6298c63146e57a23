/// Why what came may not be what is at that URL for others, or on other days.
public enum Suspicion: String, Sendable, Codable, CaseIterable {
    /// Less than 30 % of the words that were there.
    case shrunk
    /// It asks for consent, and shows nothing before.
    case consentWall
    /// It wants to know whether a person asks.
    case challenge
    /// It says that there is nothing, with a status that says there is.
    case softMissing = "soft404"
}
