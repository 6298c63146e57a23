import NIOCore
import Synchronization
import Testing

@testable import TenureWeb

@Suite struct LiveViewTests {
    private struct Broken: Error {}

    /// A page whose looks are counted, and that shows what it is told to.
    private final class Source: Sendable {
        let state = Mutex((looks: 0, html: "a", isBroken: false))

        func read() throws -> [LiveView.Change] {
            let (html, isBroken) = state.withLock { state in
                state.looks += 1
                return (state.html, state.isBroken)
            }
            if isBroken { throw Broken() }
            return [LiveView.Change(id: "one", html: html)]
        }

        var looks: Int { state.withLock { $0.looks } }
    }

    private func view(_ source: Source) -> LiveView {
        LiveView(read: { try source.read() }, tell: { _ in "broken" })
    }

    /// What a browser is told of the one section there is.
    private static func told(_ news: LiveView.News) -> String { String(buffer: news.events) }

    private static func event(_ html: String) -> String {
        "event: section\ndata: one\ndata: \(html)\n\n"
    }

    private func until(_ condition: () async -> Bool) async throws {
        for _ in 0..<500 where await !condition() { try await Task.sleep(for: .milliseconds(20)) }
    }

    @Test func `however many look, it is looked at once a second, and not when all have left`()
        async throws
    {
        let source = Source()
        let view = view(source)
        var ids: [Int] = []
        for _ in 0..<200 { ids.append(await view.join().id) }
        try await Task.sleep(for: .milliseconds(2500))
        #expect((2...4).contains(source.looks), "\(source.looks)")
        for id in ids { await view.leave(id) }
        #expect(await !view.isWatched)
        try await Task.sleep(for: .milliseconds(200))
        let looks = source.looks
        try await Task.sleep(for: .milliseconds(1500))
        #expect(source.looks == looks)
    }

    @Test func `a crowd hears less often, all of it the same words`() async throws {
        let source = Source()
        let view = view(source)
        for _ in 0..<1600 { _ = await view.join() }
        try await until { await view.news(since: 0).version > 0 }
        let looks = source.looks
        try await Task.sleep(for: .milliseconds(2500))
        #expect(source.looks <= looks + 1)
        let news = await view.news(since: 0)
        #expect(Self.told(news) == Self.event("a"))
        #expect(Self.told(await view.news(since: news.version)).isEmpty)
        source.state.withLock { $0.html = "b\nc" }
        try await until { await view.news(since: 0).version > news.version }
        let later = await view.news(since: news.version)
        #expect(Self.told(later) == Self.event("b\ndata: c"))
        #expect(await view.news(since: 0).events == later.events)
    }

    @Test func `changes are told once, and how long ago something was is none`() async throws {
        let source = Source()
        let view = view(source)
        _ = await view.join()
        try await until { await view.news(since: 0).version > 0 }
        let first = await view.news(since: 0)
        #expect(Self.told(first) == Self.event("a"))
        #expect(Self.told(await view.news(since: first.version)).isEmpty)
        source.state.withLock { $0.html = "<time class=\"age\" datetime=\"x\">3s ago</time>" }
        try await until { await view.news(since: 0).version > first.version }
        let second = await view.news(since: first.version)
        #expect(Self.told(second).hasPrefix("event: section\ndata: one\ndata: <time"))
        source.state.withLock { $0.html = "<time class=\"age\" datetime=\"x\">4s ago</time>" }
        let looks = source.looks
        try await until { source.looks > looks + 1 }
        #expect(await view.news(since: 0).version == second.version)
        #expect(Self.told(await view.news(since: second.version)).isEmpty)
        // Whoever comes later has a page that is younger than that change.
        #expect(Self.told(await view.news(since: 0)).contains("4s ago"))
    }

    @Test func `trouble is told, what was known stays, and it ends by itself`() async throws {
        let source = Source()
        let view = view(source)
        _ = await view.join()
        try await until { await view.news(since: 0).version > 0 }
        source.state.withLock { $0.isBroken = true }
        try await until { await view.news(since: 0).trouble != nil }
        let broken = await view.news(since: 0)
        #expect(broken.trouble == "broken" && Self.told(broken) == Self.event("a"))
        source.state.withLock { ($0.isBroken, $0.html) = (false, "b") }
        try await until { await view.news(since: 0).trouble == nil }
        #expect(Self.told(await view.news(since: broken.version)) == Self.event("b"))
    }
}
