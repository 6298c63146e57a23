/// How far a run has come, in its handler's own words: for operators to look at.
public struct JobProgress: Sendable, Hashable {
    /// In whatever the handler counts: bytes, rows, pages.
    public var done: Int64
    /// Of the same; nil when nobody knows.
    public var total: Int64?
    /// Of the same, a second.
    public var rate: Double?
    /// One line.
    public var note: String?

    private static let longestNote = 500

    /// Takes anything, because a report is no reason to fail a job: negative counts become 0, a
    /// rate that is no finite number is left out, a note is cut after 500 characters.
    public init(
        done: Int64, total: Int64? = nil, rate: Double? = nil, note: String? = nil
    ) {
        self.done = max(0, done)
        self.total = total.map { max(0, $0) }
        self.rate = rate.flatMap { $0.isFinite ? max(0, $0) : nil }
        // PostgreSQL stores no NUL.
        self.note = note.map { String($0.prefix(Self.longestNote)).filter { $0 != "\0" } }
    }
}
