import Tenure
import TenurePostgres

/// What many leave and one takes, all that has gathered at a time.
final class Inbox<Item: Sendable>: Sendable {
    private let items = Lock<[Item]>([])
    private let news = Signal()

    /// Never waits.
    func put(_ new: some Sequence<Item>) {
        items.withLock { $0.append(contentsOf: new) }
        news.notify()
    }

    /// Waits until there is something, or until the task is cancelled: then it may be nothing.
    func takeAll() async -> [Item] {
        await news.wait()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
