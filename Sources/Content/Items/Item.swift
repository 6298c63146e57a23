public import FoundationEssentials

/// What is kept of a URL.
public struct Item: Sendable, Hashable, Codable {
    public let url: String
    /// `stored`, `unchanged`, or why the last fetch brought nothing.
    public let outcome: String
    public let finalURL: String?
    public let status: Int?
    public let mediaType: String?
    public let charset: String?
    public let title: String?
    public let bytes: Int?
    /// SHA-256 of the body, in hex.
    public let hash: String?
    public let references: Int
    public let anchors: Int
    public let hasBody: Bool
    public let fetchedAt: Date?
    public let attemptedAt: Date
}
