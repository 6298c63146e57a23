/// Remembers answers for a short while, and asks once for everybody who asks at the same time.
///
/// The system doesn't say how long an answer is good for, so none is kept for long. Nothing is
/// judged here: an answer is vetted each time it is used, by the policy of who uses it.
final class CachingResolver: HostResolver {
    typealias Instant = ContinuousClock.Instant
    typealias Answer = Result<[IPAddress], LookupFailure>
    typealias Completion = @Sendable (Answer) -> Void

    struct Bounds: Sendable {
        var names = 1024
        var found: Duration = .seconds(30)
        /// A name that isn't there; a resolver that failed is asked again at once.
        var notFound: Duration = .seconds(5)
    }

    private struct Pending {
        let number: Int
        var waiters: [Int: Completion]
        var lookup: (any HostLookup)?
    }

    private struct State {
        var known: [String: (answer: Answer, until: Instant)] = [:]
        var pending: [String: Pending] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let resolver: any HostResolver
    private let bounds: Bounds
    private let now: @Sendable () -> Instant
    private let state = Lock(State())

    init(
        _ resolver: any HostResolver, bounds: Bounds = Bounds(),
        now: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.resolver = resolver
        self.bounds = bounds
        self.now = now
    }

    func resolve(_ host: String, completion: @escaping Completion) -> any HostLookup {
        let host = host.lowercased()
        switch state.withLock({ join(host, completion, &$0) }) {
        case .known(let answer):
            completion(answer)
            return Waiter(resolver: nil, host: host, number: 0, waiter: 0)
        case .joined(let number, let waiter):
            return Waiter(resolver: self, host: host, number: number, waiter: waiter)
        case .first(let number, let waiter):
            // Outside the lock: it may answer at once.
            let lookup = resolver.resolve(host) { [weak self] in self?.finish(host, number, $0) }
            let isWanted = state.withLock { state in
                guard state.pending[host]?.number == number else { return false }
                state.pending[host]?.lookup = lookup
                return true
            }
            if !isWanted { lookup.cancel() }
            return Waiter(resolver: self, host: host, number: number, waiter: waiter)
        }
    }

    func close() {
        resolver.close()
    }

    var namesKnown: Int { state.withLock { $0.known.count } }
}

extension CachingResolver {
    private enum Way {
        case known(Answer)
        case joined(number: Int, waiter: Int)
        case first(number: Int, waiter: Int)
    }

    private func join(
        _ host: String, _ completion: @escaping Completion, _ state: inout State
    ) -> Way {
        if let known = state.known[host] {
            if known.until > now() { return .known(known.answer) }
            state.known[host] = nil
        }
        let waiter = state.nextNumber()
        if let number = state.pending[host]?.number {
            state.pending[host]?.waiters[waiter] = completion
            return .joined(number: number, waiter: waiter)
        }
        let number = state.nextNumber()
        state.pending[host] = Pending(number: number, waiters: [waiter: completion])
        return .first(number: number, waiter: waiter)
    }

    private func finish(_ host: String, _ number: Int, _ answer: Answer) {
        let waiters = state.withLock { state -> [Completion] in
            guard let pending = state.pending[host], pending.number == number else { return [] }
            state.pending[host] = nil
            remember(host, answer, &state)
            return Array(pending.waiters.values)
        }
        for waiter in waiters { waiter(answer) }
    }

    private func remember(_ host: String, _ answer: Answer, _ state: inout State) {
        let time =
            switch answer {
            case .success: bounds.found
            case .failure(.notFound): bounds.notFound
            case .failure(.temporary): Duration.zero
            }
        guard time > .zero, bounds.names > 0 else { return }
        let now = now()
        if state.known.count >= bounds.names {
            state.known = state.known.filter { $0.value.until > now }
        }
        if state.known.count >= bounds.names,
            let oldest = state.known.min(by: { $0.value.until < $1.value.until })
        {
            state.known[oldest.key] = nil
        }
        state.known[host] = (answer, now + time)
    }

    /// Whoever waits alone takes the lookup with him.
    private func leave(_ host: String, _ number: Int, _ waiter: Int) {
        let lookup = state.withLock { state -> (any HostLookup)? in
            guard var pending = state.pending[host], pending.number == number else { return nil }
            pending.waiters[waiter] = nil
            state.pending[host] = pending.waiters.isEmpty ? nil : pending
            return pending.waiters.isEmpty ? pending.lookup : nil
        }
        lookup?.cancel()
    }

    private struct Waiter: HostLookup {
        let resolver: CachingResolver?
        let host: String
        let number: Int
        let waiter: Int

        func cancel() {
            resolver?.leave(host, number, waiter)
        }
    }
}
