/// How a fetch ended, for its item.
public enum FetchOutcome: String, Sendable, Codable, CaseIterable {
    /// It brought something new.
    case stored
    /// All is as it was.
    case unchanged
    /// It redirects for good, and has done so before. What came is stored.
    case moved
    /// It says so itself (410), or was missing (404) twice, a day apart. The content stays.
    case gone
    /// Nobody asked, or nobody read the answer: fresh, robots, type.
    case skipped
    /// It brought nothing; the code says why. The content stays.
    case failed
    /// The item was deleted while it was being fetched: nothing was written.
    case itemDeleted
}

/// The result of a fetch's job, as `job show` has it.
public struct FetchResult: Sendable, Codable, Hashable {
    public var outcome: FetchOutcome
    /// Why it was skipped or failed, or why what came is doubted: `fresh`, `404`, `shrunk`.
    public var code: String?
    public var failure: FailureClass?
    public var status: Int?
    /// The number of the version that it made.
    public var version: Int?
    /// What came didn't take the place of the old content, but is kept beside it.
    public var isCandidate = false

    init(_ outcome: FetchOutcome, code: String? = nil, status: Int? = nil) {
        self.outcome = outcome
        self.code = code
        self.status = status
    }
}
