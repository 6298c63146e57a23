/// What is to happen when: a heap of instants, and the actions still wanted.
///
/// Cancelling forgets the action and leaves its heap entry to be passed over; the heap is rebuilt
/// when most of it is such entries.
struct Timers<Action> {
    typealias ID = UInt64

    private struct Entry {
        let at: Instant
        let id: ID
        func isBefore(_ other: Entry) -> Bool { at == other.at ? id < other.id : at < other.at }
    }

    private var heap: [Entry] = []
    private var actions: [ID: Action] = [:]
    private var lastID: ID = 0

    /// The earliest wanted instant.
    var next: Instant? {
        mutating get {
            while let first = heap.first, actions[first.id] == nil { removeFirst() }
            return heap.first?.at
        }
    }

    mutating func add(at instant: Instant, _ action: Action) -> ID {
        lastID += 1
        actions[lastID] = action
        heap.append(Entry(at: instant, id: lastID))
        siftUp(heap.count - 1)
        return lastID
    }

    @discardableResult
    mutating func cancel(_ id: ID) -> Action? {
        let action = actions.removeValue(forKey: id)
        if heap.count > 64, heap.count > 2 * actions.count { rebuild() }
        return action
    }

    /// Takes out what is due, earliest first.
    mutating func due(at now: Instant) -> [Action] {
        var due: [Action] = []
        while let first = heap.first, first.at <= now {
            removeFirst()
            if let action = actions.removeValue(forKey: first.id) { due.append(action) }
        }
        return due
    }

    private mutating func rebuild() {
        heap = heap.filter { actions[$0.id] != nil }.sorted { $0.isBefore($1) }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
