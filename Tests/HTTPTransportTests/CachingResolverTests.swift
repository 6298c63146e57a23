import TenureSystem
import Testing

@testable import HTTPTransport

@Suite struct CachingResolverTests {
    private let time = Lock(ContinuousClock.now)

    private func cache(
        _ resolver: any HostResolver, names: Int = 4
    ) -> CachingResolver {
        CachingResolver(resolver, bounds: .init(names: names)) { [time] in time.withLock { $0 } }
    }

    private func pass(_ duration: Duration) {
        time.withLock { $0 += duration }
    }

    /// What a resolver that answers at once says.
    private func ask(_ cache: CachingResolver, _ host: String) -> CachingResolver.Answer? {
        let answer = Lock<CachingResolver.Answer?>(nil)
        _ = cache.resolve(host) { found in answer.withLock { $0 = found } }
        return answer.withLock { $0 }
    }

    @Test func `an answer is kept for half a minute, a missing name for five seconds`() throws {
        let resolver = FakeResolver(["a.test": ["1.2.3.4"]])
        let cache = cache(resolver)
        for _ in 0..<3 {
            #expect(try ask(cache, "A.test")?.get() == [.v4(0x0102_0304)])
            #expect(throws: LookupFailure.self) { try ask(cache, "none.test")?.get() }
        }
        #expect(resolver.asked.withLock { $0 } == ["a.test", "none.test"])
        pass(.seconds(6))
        _ = (ask(cache, "a.test"), ask(cache, "none.test"))
        #expect(resolver.asked.withLock { $0.count } == 3)
        pass(.seconds(25))
        _ = ask(cache, "a.test")
        #expect(resolver.asked.withLock { $0.count } == 4)
    }

    @Test func `a resolver that failed is asked again`() {
        let resolver = HeldResolver()
        let cache = cache(resolver)
        for round in 1...2 {
            _ = cache.resolve("a.test") { _ in }
            resolver.answer(.failure(.temporary("servers are silent")))
            #expect(resolver.asked == round)
        }
    }

    @Test func `only so many names are kept, the newest`() {
        let names = (0..<10).map { "\($0).test" }
        let answers = Dictionary(uniqueKeysWithValues: names.map { ($0, ["1.2.3.4"]) })
        let resolver = FakeResolver(answers)
        let cache = cache(resolver, names: 4)
        for name in names {
            _ = ask(cache, name)
            pass(.seconds(1))
        }
        #expect(cache.namesKnown == 4)
        for name in names.suffix(4) { _ = ask(cache, name) }
        #expect(resolver.asked.withLock { $0.count } == 10)
    }

    @Test func `who asks at the same time gets the same answer, once`() {
        let resolver = HeldResolver()
        let cache = cache(resolver)
        let answers = Lock(0)
        let lookups = (0..<5).map { _ in
            cache.resolve("a.test") { _ in answers.withLock { $0 += 1 } }
        }
        lookups[0].cancel()
        lookups[3].cancel()
        lookups[3].cancel()
        #expect(resolver.asked == 1)
        #expect(resolver.cancelled == 0)
        resolver.answer(.success([.v4(1)]))
        #expect(answers.withLock { $0 } == 3)
        for lookup in lookups { lookup.cancel() }
        #expect(resolver.cancelled == 0)
    }

    @Test func `the last one to leave takes the lookup with him`() {
        let resolver = HeldResolver()
        let cache = cache(resolver)
        let lookups = (0..<2).map { _ in
            cache.resolve("a.test") { _ in Issue.record("it was cancelled") }
        }
        for lookup in lookups { lookup.cancel() }
        #expect(resolver.cancelled == 1)
        _ = cache.resolve("a.test") { _ in }
        #expect(resolver.asked == 2)
        // The answer to the lookup that was given up belongs to nobody.
        resolver.answerFirst(.success([.v4(1)]))
        #expect(cache.namesKnown == 0)
        resolver.answer(.success([.v4(2)]))
        #expect(cache.namesKnown == 1)
    }
}

@Suite struct HangingLookupTests {
    @Test func `lookups that hang don't keep others waiting once they are given up`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let resolver = SystemResolver(threads: 2) { host in
            if host.hasPrefix("silent") { gate.wait() }
            return .success([.v4(1)])
        }
        for round in 0..<5 {
            let hung = (0..<2).map { resolver.resolve("silent\(round)-\($0)") { _ in } }
            let deadline = ContinuousClock.now + .seconds(5)
            while gate.waiting < 2 * (round + 1) {
                try #require(ContinuousClock.now < deadline, "round \(round)")
                try await Task.sleep(for: .milliseconds(1))
            }
            for lookup in hung { lookup.cancel() }
        }
        let answer: Result<[IPAddress], LookupFailure> = await withCheckedContinuation { waiter in
            _ = resolver.resolve("good") { waiter.resume(returning: $0) }
        }
        #expect(answer == .success([.v4(1)]))
    }

    @Test func `there is a bound to how many threads may hang`() {
        let gate = Gate()
        let resolver = SystemResolver(threads: 1) { _ in
            gate.wait()
            return .success([])
        }
        let lookups = (0..<20).map { resolver.resolve("silent\($0)") { _ in } }
        for lookup in lookups {
            lookup.cancel()
            nap(milliseconds: 1)
        }
        #expect(gate.waiting <= 8)
        gate.open()
    }
}

/// Holds threads until it is opened.
private final class Gate: Sendable {
    private let state = Lock((waiting: 0, isOpen: false))

    var waiting: Int { state.withLock { $0.waiting } }

    func wait() {
        state.withLock { $0.waiting += 1 }
        while !state.withLock({ $0.isOpen }) { usleep(500) }
    }

    func open() {
        state.withLock { $0.isOpen = true }
    }
}

/// Answers when it is told to.
private final class HeldResolver: HostResolver {
    typealias Completion = @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    private let completions = Lock<[Completion]>([])
    private let cancellations = Lock(0)

    var asked: Int { completions.withLock { $0.count } }
    var cancelled: Int { cancellations.withLock { $0 } }

    func resolve(_ host: String, completion: @escaping Completion) -> any HostLookup {
        completions.withLock { $0.append(completion) }
        return Lookup(cancellations: cancellations)
    }

    func answer(_ result: Result<[IPAddress], LookupFailure>) {
        completions.withLock { $0.last }?(result)
    }

    func answerFirst(_ result: Result<[IPAddress], LookupFailure>) {
        completions.withLock { $0.first }?(result)
    }

    func close() {}

    private struct Lookup: HostLookup {
        let cancellations: Lock<Int>

        func cancel() {
            cancellations.withLock { $0 += 1 }
        }
    }
}
