import Tenure

/// What happens to the runs of one worker or several, as a sequence.
///
/// ```swift
/// let events = JobEvents()
/// let worker = try Worker(pool: pool, jobs: jobs, observers: [events])
/// for await case .ended(let run, let end) in events where end.status == .discarded {
///     print("\(run.kind) \(run.job) is given up: \(end.error.map { "\($0)" } ?? "")")
/// }
/// ```
///
/// Each `for await` gets what happens after it has begun, up to `keeping` events behind; of more,
/// the newest are left out, and `.missed` says how many. It ends when its task is cancelled: the
/// next worker may be told to give its events here, too.
public final class JobEvents: JobObserver, AsyncSequence, Sendable {
    private let streams = Lock<[Int: EventBuffer]>([:])
    private let numbers = Lock(0)
    private let keeping: Int

    /// - Parameter keeping: how many events wait for each reader; at least 1.
    public init(keeping: Int = 10_000) { self.keeping = Swift.max(1, keeping) }

    public func observe(_ event: JobEvent) async {
        for buffer in streams.withLock({ Array($0.values) }) { buffer.add(event) }
    }

    public func makeAsyncIterator() -> Iterator {
        let number = numbers.withLock { number in
            number += 1
            return number
        }
        let buffer = EventBuffer(keeping: keeping)
        streams.withLock { $0[number] = buffer }
        return Iterator(
            buffer: buffer, reader: Reader(number: number, of: self))
    }

    /// How many read.
    var readers: Int { streams.withLock { $0.count } }

    fileprivate func forget(_ number: Int) { streams.withLock { $0[number] = nil } }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let buffer: EventBuffer
        fileprivate let reader: Reader

        public mutating func next() async -> JobEvent? { await next(isolation: #isolation) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> JobEvent? {
            await buffer.next()
        }
    }

    /// Goes with its iterator, and takes along what waits for it: who leaves a loop is told no
    /// more.
    fileprivate final class Reader: Sendable {
        private let number: Int
        private let events: JobEvents

        init(number: Int, of events: JobEvents) { (self.number, self.events) = (number, events) }

        deinit { events.forget(number) }
    }
}
