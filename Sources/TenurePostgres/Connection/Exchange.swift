/// A request on its way through a connection, until its reply is there.
///
/// Belongs to the connection, under its lock, until the continuation is resumed, and from then on
/// to the task that waited: that is why it may be shared unchecked.
final class Exchange: Identifiable, @unchecked Sendable {
    enum Ending {
        case cancelled
        case deadline
    }

    let request: PostgresRequest
    let deadline: Instant
    var continuation: UnsafeContinuation<Void, Never>?
    /// Why it is being cancelled; the first reason stands.
    var ending: Ending?
    var reply = PostgresReply()
    var failure: (any Error)?
    /// What the first result has to tell before the reply is complete.
    private var news: (@Sendable () -> Void)?
    /// Where nobody waits.
    private let onEnd: (@Sendable (Result<Duration, any Error>) -> Void)?
    private var startedAt: Instant?

    init(_ request: PostgresRequest, deadline: Instant) {
        self.request = request
        self.deadline = deadline
        onEnd = nil
    }

    init(_ follower: PostgresFollower, deadline: Instant) {
        request = follower.request
        self.deadline = deadline
        onEnd = follower.onEnd
    }

    /// It is being sent.
    func start() { if onEnd != nil { startedAt = .now } }

    /// Tells whoever waits, or wants to know.
    func tell() {
        continuation?.resume()
        guard let onEnd else { return }
        if let failure { return onEnd(.failure(failure)) }
        onEnd(.success(startedAt.map { .now - $0 } ?? .zero))
    }

    /// The error of a request that was given up.
    func endingError(wasSent: Bool) -> (any Error)? {
        switch ending {
        case .cancelled: return CancellationError()
        case .deadline:
            var error = PostgresError(.deadlineExceeded, "the deadline passed", statement: name)
            error.wasSent = wasSent
            return error
        case nil: return nil
        }
    }

    /// The first statement's.
    var name: String? {
        guard case .statements(let calls) = request.work else { return nil }
        return calls.first?.name
    }

    /// A result of a statement has come.
    func append(_ result: OpaquePointer) {
        reply.append(result)
        if let look = request.onResult, reply.count == 1 { news = reply.withRows(look) }
    }

    func takeNews() -> (@Sendable () -> Void)? {
        defer { news = nil }
        return news
    }

    func takeReply() -> PostgresReply {
        var taken = PostgresReply()
        swap(&taken, &reply)
        return taken
    }
}
