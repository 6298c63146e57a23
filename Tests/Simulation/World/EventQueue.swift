/// What is to happen later, in the order of its time; at the same time, in the order it came.
struct EventQueue {
    struct Event {
        let time: Int64
        let order: Int
        let action: () -> Void
    }

    private var heap: [Event] = []
    private var order = 0

    var next: Int64? { heap.first?.time }

    mutating func add(at time: Int64, _ action: @escaping () -> Void) {
        order += 1
        heap.append(Event(time: time, order: order, action: action))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if !isBefore(heap[child], heap[parent]) { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func pop() -> Event? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if heap.isEmpty { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && isBefore(heap[child], heap[least]) {
                least = child
            }
            if least == parent { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func isBefore(_ a: Event, _ b: Event) -> Bool {
        a.time != b.time ? a.time < b.time : a.order < b.order
    }
}
