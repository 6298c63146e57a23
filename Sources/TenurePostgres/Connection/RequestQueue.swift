/// The order in which a connection does its work: one request runs, the others wait.
///
/// A cancellation on the server names the connection, not the statement. So the next request
/// starts only when the reply of the cancelled one is drained *and* the call that carried the
/// cancellation has returned: it can't hit a statement it wasn't meant for.
struct RequestQueue<Request: Identifiable> {
    private(set) var running: Request?
    /// A cancellation is under way for the running request, or for one that has just ended.
    private(set) var isCancelling = false
    private(set) var isClosed = false
    private var waiting: [Request] = []
    private var head = 0

    enum Cancellation {
        /// It never left.
        case drop(Request)
        /// It runs: tell the server.
        case tellServer(Request)
        /// It has ended, or it is being cancelled already.
        case nothing
    }

    /// - Returns: false when closed.
    mutating func submit(_ request: Request) -> Bool {
        if isClosed { return false }
        waiting.append(request)
        return true
    }

    /// The request to send now, if one may be sent.
    mutating func startNext() -> Request? {
        guard running == nil, !isCancelling, !isClosed, head < waiting.count else { return nil }
        running = waiting[head]
        head += 1
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 64, head > waiting.count / 2 {
            waiting.removeFirst(head)
            head = 0
        }
        return running
    }

    mutating func cancel(_ id: Request.ID) -> Cancellation {
        if let running, running.id == id {
            if isCancelling { return .nothing }
            isCancelling = true
            return .tellServer(running)
        }
        guard let index = waiting[head...].firstIndex(where: { $0.id == id }) else {
            return .nothing
        }
        return .drop(waiting.remove(at: index))
    }

    /// The running request's reply is complete.
    mutating func replyEnded() -> Request? {
        defer { running = nil }
        return running
    }

    mutating func cancellationReturned() { isCancelling = false }

    /// - Returns: who was running, and who never left.
    mutating func close() -> (running: Request?, waiting: [Request]) {
        defer {
            isClosed = true
            running = nil
            waiting = []
            head = 0
        }
        return (running, Array(waiting[head...]))
    }

    /// All that haven't ended.
    var unfinished: [Request] { (running.map { [$0] } ?? []) + waiting[head...] }
}

extension RequestQueue: Sendable where Request: Sendable {}
