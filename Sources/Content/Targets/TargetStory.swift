public import TenureFoundation

/// How a URL was when somebody last looked.
public struct TargetStory: Sendable {
    public let state: TargetState
    public let code: String?
    public let status: Int?
    public let failures: Int
    public let checkedAt: Date?
    public let firstBrokenAt: Date?
    public let lastOkAt: Date?
    /// Where it redirects to.
    public let next: String?
}

public struct TargetEvent: Sendable {
    public let at: Date
    public let before: String
    public let after: String
    public let code: String?
}
