import TenurePostgres

/// What many leave and one takes, all that has gathered at a time.
package final class Inbox<Item: Sendable>: Sendable {
    private let items = Lock<[Item]>([])
    private let news = Signal()

    package init() {}

    /// Never waits.
    package func put(_ new: some Sequence<Item>) {
        items.withLock { $0.append(contentsOf: new) }
        news.notify()
    }

    /// Waits until there is something, or until the task is cancelled: then it may be nothing.
    package func takeAll() async -> [Item] {
        await news.wait()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
