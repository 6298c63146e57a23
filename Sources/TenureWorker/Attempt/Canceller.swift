/// Delivers cancellations to handlers, on the worker's own thread: one that waits for the pool
/// would come late where handlers hog it.
struct Canceller: Sendable {
    private let ended = Inbox<RunRight>()

    /// A running handler's right has ended. Never waits.
    func take(_ right: RunRight) { ended.put(CollectionOfOne(right)) }

    /// Runs until cancelled, which must not be before the last handler has returned.
    func run() async {
        while !Task.isCancelled {
            for right in await ended.takeAll() { right.deliver() }
        }
    }
}
