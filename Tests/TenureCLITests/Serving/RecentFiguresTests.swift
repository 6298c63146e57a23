import Synchronization
import Testing

@testable import TenureCLI

@Suite struct RecentFiguresTests {
    private final class Looks: Sendable {
        let count = Mutex(0)
        func next() -> String {
            count.withLock { count in
                count += 1
                return "look \(count)"
            }
        }
    }

    @Test func `many scrapes at once are one look`() async {
        let looks = Looks()
        let figures = RecentFigures(age: .seconds(600)) { looks.next() }
        #expect(await figures.text() == "look 1")
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { await figures.text() } }
            for await text in group { #expect(text == "look 1") }
        }
    }

    @Test func `while one looks, the others get what was known before`() async throws {
        let looks = Looks()
        let (gate, opening) = AsyncStream.makeStream(of: Void.self)
        let began = Mutex(false)
        let figures = RecentFigures(age: .zero) {
            began.withLock { $0 = looks.count.withLock { $0 } == 1 }
            if looks.count.withLock({ $0 }) == 1 { for await _ in gate { break } }
            return looks.next()
        }
        #expect(await figures.text() == "look 1")
        async let second = figures.text()
        while !began.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        #expect(await figures.text() == "look 1")
        opening.yield()
        #expect(await second == "look 2")
    }
}
