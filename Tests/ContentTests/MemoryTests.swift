import Content
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// Targets that fail are looked at again on time, by themselves. By a real server, on a clock that
/// the test moves.
@Suite(.serialized) struct MemoryTests {
    private struct Bench: Sendable {
        let fetch: FetchBench
        let clock: TestClock
        var web: LocalWeb { fetch.web }
        var url: String { web.url + "/x" }
        /// Of the target, not of robots.txt.
        var looks: Int { web.requests("/x").count }

        init(_ label: String) async throws {
            fetch = try await FetchBench(label)
            clock = TestClock(pool: fetch.pool)
        }

        var memory: Memory {
            get async throws { try #require(try await Memory.of(url, in: fetch.pool)) }
        }

        var events: [Memory.Event] {
            get async throws { try await Memory.events(of: url, in: fetch.pool) }
        }

        func look() async throws {
            let job = try await fetch.fixture.client.enqueue(DependencyCheck(target: url))
            _ = try await fetch.ended(job.id)
            try await clock.settled()
        }

        /// Lets the time go by, and what is due then be done.
        func pass(_ duration: Duration) async throws {
            try await clock.advance(by: duration)
            try await clock.settled()
        }
    }

    @Test(arguments: [404, 410])
    func `a missing page is broken once a look ten minutes later has seen it, too`(
        status: Int
    ) async throws {
        let bench = try await Bench("missing")
        bench.web.answer("/x", .status(status))
        try await bench.fetch.working {
            try await bench.look()
            let first = try await bench.memory
            #expect(first.state == "suspect" && first.failures == 1 && first.lastOkAt == nil)
            let due = try await bench.clock.due()
            #expect(due.count == 1 && due.values.allSatisfy { (400...600).contains($0) }, "\(due)")
            let looks = bench.looks
            try await bench.pass(.seconds(500))
            #expect(bench.looks == looks)
            try await bench.pass(.seconds(100))
            let second = try await bench.memory
            #expect(second.state == "broken" && second.failures == 2)
            #expect(second.firstBrokenAt == first.firstBrokenAt)
            #expect(try await bench.clock.due().isEmpty)
            let events = try await bench.events
            try #require(events.map(\.change) == ["unchecked → suspect", "suspect → broken"])
            #expect(events[0].at == first.firstBrokenAt)
            #expect((600..<720).contains(events[1].at.timeIntervalSince(events[0].at)))
        }
    }

    @Test func `anything else is broken after three looks over a day`() async throws {
        let bench = try await Bench("failing")
        bench.web.answer("/x", .status(500))
        try await bench.fetch.working {
            try await bench.look()
            let first = try await bench.memory
            // Somebody else's look between them moves nothing.
            try await bench.pass(.seconds(3600))
            try await bench.look()
            let due = try await bench.clock.due()
            #expect(due.values.allSatisfy { (39_300...39_600).contains($0) }, "\(due)")
            #expect(due.count == 1)
            try await bench.pass(.seconds(39_600))
            #expect(try await bench.memory.state == "suspect")
            #expect(try await bench.memory.failures == 3)
            try await bench.pass(.seconds(43_000))
            #expect(try await bench.memory.failures == 3)
            try await bench.pass(.seconds(200))
            let last = try await bench.memory
            #expect(last.state == "broken" && last.firstBrokenAt == first.firstBrokenAt)
            let events = try await bench.events
            try #require(events.map(\.change) == ["unchecked → suspect", "suspect → broken"])
            #expect(events[1].at.timeIntervalSince(events[0].at) >= 86_400)
            #expect(try await bench.clock.due().isEmpty)
        }
    }

    @Test func `a host that comes back and says 404 is asked again in ten minutes`() async throws {
        let bench = try await Bench("sooner")
        bench.web.answer("/x", .status(500))
        try await bench.fetch.working {
            try await bench.look()
            bench.web.answer("/x", .status(404))
            try await bench.look()
            let due = try await bench.clock.due()
            #expect(due.count == 1 && due.values.allSatisfy { $0 <= 600 }, "\(due)")
        }
    }

    @Test func `recovery clears it, whenever it is seen`() async throws {
        let bench = try await Bench("recovered")
        bench.web.answer("/x", .page("well"))
        try await bench.fetch.working {
            try await bench.look()
            let well = try #require(try await bench.memory.lastOkAt)
            try await bench.pass(.seconds(3600))
            bench.web.answer("/x", .status(404))
            try await bench.look()
            #expect(try await bench.memory.state == "suspect")
            #expect(try await bench.memory.lastOkAt == well)
            bench.web.answer("/x", .page("well again"))
            try await bench.pass(.seconds(600))
            let memory = try await bench.memory
            #expect(memory.state == "ok" && memory.failures == 0 && memory.firstBrokenAt == nil)
            #expect(try #require(memory.lastOkAt) > well.addingTimeInterval(4200))
            #expect(
                try await bench.events.map(\.change)
                    == ["unchecked → ok", "ok → suspect", "suspect → ok"])
            #expect(try await bench.clock.due().isEmpty)
        }
    }

    @Test func `a look that nobody needs any more asks nobody`() async throws {
        let bench = try await Bench("needless")
        bench.web.answer("/x", .status(404))
        try await bench.fetch.working {
            try await bench.look()
            bench.web.answer("/x", .page("well"))
            try await bench.look()
            let looks = bench.looks
            #expect(try await bench.clock.due().count == 1)
            try await bench.pass(.seconds(600))
            #expect(bench.looks == looks)
            #expect(try await bench.clock.due().isEmpty)
        }
    }

    @Test func `a broken target that is well again, and breaks again, is broken since then`()
        async throws
    {
        let bench = try await Bench("again")
        bench.web.answer("/x", .status(404))
        try await bench.fetch.working {
            try await bench.look()
            let first = try #require(try await bench.memory.firstBrokenAt)
            try await bench.pass(.seconds(600))
            bench.web.answer("/x", .page("well"))
            try await bench.look()
            bench.web.answer("/x", .status(404))
            try await bench.pass(.seconds(86_400))
            try await bench.look()
            let memory = try await bench.memory
            #expect(memory.state == "suspect" && memory.failures == 1)
            let since = try #require(memory.firstBrokenAt).timeIntervalSince(first)
            #expect(since >= 87_000 && since < 87_200)
        }
    }

    @Test func `a fetch that finds nothing comes back after a day, and then it is gone`()
        async throws
    {
        let bench = try await Bench("gone")
        let path = "/x"
        try await bench.fetch.working {
            bench.web.answer(path, .page(page("t", words: 50)))
            func fetch() async throws {
                _ = try await bench.fetch.ended(bench.fetch.enqueue(bench.fetch.fetch(path)))
                try await bench.clock.settled()
            }
            try await fetch()
            bench.web.answer(path, .status(404))
            try await fetch()
            let due = try await bench.clock.due()
            let again = try #require(due["again article \(bench.url)"])
            #expect((86_200...86_400).contains(again) && due.count == 2, "\(due)")
            try await bench.pass(.seconds(86_000))
            var item = try #require(try await bench.fetch.items.item(url: bench.url))
            #expect(item.outcome == .failed && item.missingSince != nil)
            try await bench.pass(.seconds(400))
            item = try #require(try await bench.fetch.items.item(url: bench.url))
            #expect(item.outcome == .gone && item.version == 1 && item.hasBody)
            #expect(try await bench.clock.due().isEmpty)
        }
    }

    @Test func `whoever asks meanwhile isn't given tomorrow's fetch, and spares it`() async throws {
        let bench = try await Bench("meanwhile")
        let path = "/x"
        try await bench.fetch.working {
            bench.web.answer(path, .status(404))
            _ = try await bench.fetch.ended(bench.fetch.enqueue(bench.fetch.fetch(path)))
            bench.web.answer(path, .page(page("t", words: 50)))
            _ = try await bench.fetch.ended(bench.fetch.enqueue(bench.fetch.fetch(path)))
            let item = try #require(try await bench.fetch.items.item(url: bench.url))
            #expect(item.outcome == .stored && item.missingSince == nil)
            let looks = bench.looks
            try await bench.pass(.seconds(86_400))
            #expect(bench.looks == looks)
            #expect(try await bench.clock.due().isEmpty)
        }
    }
}
