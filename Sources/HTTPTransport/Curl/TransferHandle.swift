/// A transfer as its reader holds it: wait for the head, read the body, give it up.
final class TransferHandle: HTTPBodySource {
    typealias State = Exchange<
        ArrivedHead, CheckedContinuation<ArrivedHead, any Error>,
        CheckedContinuation<[UInt8]?, any Error>
    >

    struct Shared {
        var exchange: State
        var timings = HTTPTimings()
        var progress = HTTPBodyProgress()
    }

    let id: UInt64
    let url: String
    private let thread: EventThread
    /// Whoever shuts the thread down when nobody needs it any more.
    private let owner: any HTTPTransport
    private let shared: Lock<Shared>

    init(
        id: UInt64, url: String, capacity: Int, thread: EventThread, owner: any HTTPTransport
    ) {
        self.id = id
        self.url = url
        self.thread = thread
        self.owner = owner
        shared = Lock(Shared(exchange: State(capacity: capacity)))
    }

    var timings: HTTPTimings { shared.withLock { $0.timings } }
    var progress: HTTPBodyProgress { shared.withLock { $0.progress } }
    var isLive: Bool { shared.withLock { $0.exchange.isLive } }

    func head() async throws -> ArrivedHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let result = shared.withLock { $0.exchange.awaitHead(waiter) }
                if let result { waiter.resume(with: result) }
            }
        } onCancel: {
            abandon(CancellationError())
        }
    }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let reading = shared.withLock { $0.exchange.awaitChunk(waiter) }
                if reading.resumes { thread.post(.resume(id)) }
                if let result = reading.result { waiter.resume(with: result) }
            }
        } onCancel: {
            abandon(CancellationError())
        }
    }

    func cancel() {
        abandon(HTTPTransportError(.closed, url: url, detail: "the body was given up"))
    }

    /// The waiter goes on at once; the connection closes when the event thread hears of it.
    func abandon(_ error: any Error) {
        let (wakeup, closes) = shared.withLock { $0.exchange.abandon(error) }
        if closes { thread.post(.cancel(id)) }
        wakeup.wake()
    }
}

/// What the event thread says.
extension TransferHandle {
    func deliver(_ head: ArrivedHead) {
        shared.withLock { $0.exchange.deliver(head) }.wake()
    }

    /// Says whether the sender must stop until the reader has caught up.
    func deliver(_ bytes: [UInt8]) -> Bool {
        let (wakeup, pauses) = shared.withLock { $0.exchange.deliver(bytes) }
        wakeup.wake()
        return pauses
    }

    func finish(_ result: Result<Void, any Error>) {
        shared.withLock { $0.exchange.finish(result) }.wake()
    }

    func report(_ timings: HTTPTimings, _ progress: HTTPBodyProgress) {
        shared.withLock {
            $0.timings = timings
            $0.progress = progress
        }
    }
}

extension Exchange.Wakeup
where
    HeadWaiter == CheckedContinuation<Head, any Error>,
    ChunkWaiter == CheckedContinuation<[UInt8]?, any Error>
{
    fileprivate func wake() {
        if let head { head.waiter.resume(with: head.result) }
        if let chunk { chunk.waiter.resume(with: chunk.result) }
    }
}
