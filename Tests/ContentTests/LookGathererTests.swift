import Synchronization
import Testing

@testable import Content

/// Questions to the database go together, and none is the worse for another.
@Suite struct LookGathererTests {
    /// What was asked so far; the first time waits until the test says so.
    private final class Asked: Sendable {
        let groups = Mutex<[[Int]]>([])
        let gate = Turnstile()
        let isAsking = Turnstile()

        func ask(_ numbers: [Int]) async throws -> [Int] {
            let isFirst = groups.withLock { groups in
                groups.append(numbers)
                return groups.count == 1
            }
            if isFirst {
                isAsking.open()
                await gate.wait()
                try Task.checkCancellation()
            }
            if numbers.contains(13) { throw Unlucky() }
            return numbers.map { $0 * 10 }
        }
    }
    private struct Unlucky: Error {}
    private final class Turnstile: Sendable {
        private let isOpen = Mutex(false)
        func open() { isOpen.withLock { $0 = true } }
        func wait() async { while !isOpen.withLock({ $0 }) { await Task.yield() } }
    }

    /// Asks for one alone, and for the others while that is on its way.
    private func gather(
        _ asked: Asked, _ gatherer: LookGatherer<Int, Int>, _ numbers: [Int],
        meanwhile: () async -> Void = {}
    ) async throws -> [Int?] {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            group.addTask { try await gatherer.answer(to: 1) }
            await asked.isAsking.wait()
            for number in numbers {
                // Reason for `try?`: nil is what the test looks at.
                group.addTask { try? await gatherer.answer(to: number) }
            }
            while gatherer.waiting < numbers.count { await Task.yield() }
            await meanwhile()
            asked.gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private final class Token: Sendable {}

    /// Whoever leads was named by its own call: it kept itself, and all that it led, for ever.
    @Test func `nothing is kept of what has been asked`() async throws {
        let isAsking = Turnstile()
        let gate = Turnstile()
        let gatherer = LookGatherer<Token, Bool> { tokens in
            isAsking.open()
            await gate.wait()
            return tokens.map { _ in true }
        }
        weak var first: Token?
        weak var second: Token?
        try await withThrowingTaskGroup(of: Bool.self) { group in
            let tokens = [Token(), Token(), Token()]
            (first, second) = (tokens[1], tokens[2])
            for (number, token) in tokens.enumerated() {
                group.addTask { try await gatherer.answer(to: token) }
                if number == 0 { await isAsking.wait() }
            }
            while gatherer.waiting < 2 { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        #expect(first == nil && second == nil)
    }

    @Test func `those that come meanwhile go together, as many as may`() async throws {
        let asked = Asked()
        let gatherer = LookGatherer(upTo: 3) { try await asked.ask($0) }
        let answers = try await gather(asked, gatherer, [2, 3, 4, 5])
        #expect(Set(answers) == [10, 20, 30, 40, 50])
        let groups = asked.groups.withLock { $0 }
        #expect(groups.map(\.count) == [1, 3, 1])
        #expect(groups.joined().sorted() == [1, 2, 3, 4, 5])
    }

    @Test func `what one question brings along is no other's fault`() async throws {
        let asked = Asked()
        let gatherer = LookGatherer { try await asked.ask($0) }
        let answers = try await gather(asked, gatherer, [2, 13, 4])
        #expect(answers.compactMap { $0 }.sorted() == [10, 20, 40])
    }

    @Test func `whoever has to stop in the line leaves it, and the others are answered`()
        async throws
    {
        let asked = Asked()
        let gatherer = LookGatherer { try await asked.ask($0) }
        let answers = try await gather(asked, gatherer, [2, 3]) {
            let task = Task { try await gatherer.answer(to: 7) }
            while gatherer.waiting < 3 { await Task.yield() }
            task.cancel()
            let result = await task.result
            #expect(throws: CancellationError.self) { try result.get() }
        }
        #expect(Set(answers) == [10, 20, 30])
        #expect(asked.groups.withLock { !$0.joined().contains(7) })
    }

    @Test func `whoever asks for all and has to stop keeps nobody waiting`() async throws {
        let asked = Asked()
        let gatherer = LookGatherer { try await asked.ask($0) }
        let first = Task { try await gatherer.answer(to: 1) }
        await asked.isAsking.wait()
        let others = (2...4).map { number in Task { try await gatherer.answer(to: number) } }
        while gatherer.waiting < 3 { await Task.yield() }
        first.cancel()
        asked.gate.open()
        let result = await first.result
        #expect(throws: CancellationError.self) { try result.get() }
        var answers: Set<Int> = []
        for other in others { answers.insert(try await other.value) }
        #expect(answers == [20, 30, 40])
    }
}
