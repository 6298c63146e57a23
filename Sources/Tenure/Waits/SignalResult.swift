import TenurePostgres

/// What came of sending a signal.
public enum SignalResult: String, Sendable, Codable, CaseIterable {
    /// The job waited for it, and goes on with the next free slot.
    case woken
    /// The job has not waited for it yet: it is kept until then.
    case kept
    /// It was sent before, under the same id: it counts once.
    case repeated
    /// The job has ended, and receives nothing any more.
    case finished
    /// There is no job of that id, or history has dropped it; no unfinished one of that key.
    case unknown

    init(answer: String) throws {
        guard let result = SignalResult(rawValue: answer) else {
            throw PostgresError(
                .decodingFailed, "unexpected answer to a signal: \"\(answer)\"")
        }
        self = result
    }
}
