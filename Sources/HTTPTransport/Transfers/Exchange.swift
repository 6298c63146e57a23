/// What passes between the event thread and whoever reads a response.
///
/// Pure: it holds no thread up and wakes nobody. Every call returns what is to be done, and is
/// made under a lock; waking happens outside. Waiters are opaque: continuations, or a test's.
struct Exchange<Head: Sendable, HeadWaiter, ChunkWaiter> {
    /// Who is to be woken, with what.
    struct Wakeup {
        var head: (waiter: HeadWaiter, result: Result<Head, any Error>)?
        var chunk: (waiter: ChunkWaiter, result: Result<[UInt8]?, any Error>)?
    }

    /// What a reader gets, at once or never here: then its waiter was taken.
    struct Reading {
        var result: Result<[UInt8]?, any Error>?
        /// The sender was stopped and may go on.
        var resumes = false
    }

    private let capacity: Int
    private var head: Head?
    private var headWaiter: HeadWaiter?
    private var buffer: [UInt8] = []
    private var chunkWaiter: ChunkWaiter?
    private var end: Result<Void, any Error>?
    private var isPaused = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// False once it has ended, whichever way.
    var isLive: Bool { end == nil }
}

/// The reader's side.
extension Exchange {
    /// Returns the head, or nil: then the waiter was taken.
    mutating func awaitHead(_ waiter: HeadWaiter) -> Result<Head, any Error>? {
        if let head { return .success(head) }
        if case .failure(let error) = end { return .failure(error) }
        headWaiter = waiter
        return nil
    }

    mutating func awaitChunk(_ waiter: ChunkWaiter) -> Reading {
        if !buffer.isEmpty {
            return Reading(result: .success(buffer.emptied()), resumes: leavePause())
        }
        if let end { return Reading(result: end.map { nil }) }
        precondition(chunkWaiter == nil, "a body is read by one task at a time")
        chunkWaiter = waiter
        return Reading(result: nil, resumes: leavePause())
    }

    /// Ends it from the reader's side and drops what is buffered. What was read to its end has
    /// nothing to give up. `closes`: the sender has to hear of it.
    mutating func abandon(_ error: any Error) -> (wakeup: Wakeup, closes: Bool) {
        guard let end else {
            buffer = []
            return (finish(.failure(error)), true)
        }
        if case .success = end, !buffer.isEmpty {
            buffer = []
            self.end = .failure(error)
        }
        return (Wakeup(), false)
    }

    private mutating func leavePause() -> Bool {
        defer { isPaused = false }
        return isPaused && isLive
    }
}

/// The event thread's side.
extension Exchange {
    mutating func deliver(_ arrived: Head) -> Wakeup {
        head = arrived
        return Wakeup(head: headWaiter.take().map { ($0, .success(arrived)) })
    }

    /// Takes the bytes; says whether the sender must stop.
    mutating func deliver(_ bytes: [UInt8]) -> (wakeup: Wakeup, pauses: Bool) {
        guard isLive else { return (Wakeup(), false) }
        if buffer.isEmpty, let waiter = chunkWaiter.take() {
            return (Wakeup(chunk: (waiter, .success(bytes))), false)
        }
        if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
        let pauses = !isPaused && buffer.count >= capacity
        if pauses { isPaused = true }
        return (Wakeup(), pauses)
    }

    mutating func finish(_ result: Result<Void, any Error>) -> Wakeup {
        guard isLive else { return Wakeup() }
        end = result
        var wakeup = Wakeup()
        if case .failure(let error) = result {
            wakeup.head = headWaiter.take().map { ($0, .failure(error)) }
        }
        wakeup.chunk = chunkWaiter.take().map { ($0, result.map { nil }) }
        return wakeup
    }
}

extension [UInt8] {
    fileprivate mutating func emptied() -> [UInt8] {
        defer { self = [] }
        return self
    }
}
