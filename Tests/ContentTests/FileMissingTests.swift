import Content
import Tenure
import TestSupport
import Testing

/// Files that their servers have no more: missing once is not gone.
@Suite struct FileMissingTests {
    private let file = TestFile(size: 1 << 20)

    @Test func `a file that is missing twice a day apart is gone, and its bytes stay`() async throws
    {
        let fixture = try await FileFixture(FileServer.Behaviour(file: file))
        try await fixture.fetch()
        fixture.server.change { $0.missing = 404 }
        let first = try await fixture.fetch()
        #expect(first.result?.contains("404") == true)
        #expect(try await fixture.outcome() == "failed")
        // Asking in between changes nothing of when the second look comes.
        let clock = TestClock(pool: fixture.content.pool)
        try await clock.advance(by: .seconds(3600))
        try await fixture.fetch()
        let due = try await clock.due().filter { $0.key.hasPrefix("again file ") }
        #expect(due.count == 1 && (82_000...82_900).contains(due.values.first ?? 0), "\(due)")
        try await fixture.lookAgain(clock)
        #expect(try await fixture.outcome() == "gone")
        try await fixture.expectKept(file)
        #expect(try await clock.due().keys.allSatisfy { !$0.hasPrefix("again file ") })
        // It is there again.
        fixture.server.change { $0.missing = nil }
        try await fixture.fetch()
        #expect(try await fixture.outcome() == "unchanged")
        #expect(
            try await fixture.value(
                "SELECT missing_since IS NULL FROM content.item", as: Bool.self))
    }

    @Test func `a file that is back within the day is not asked for again`() async throws {
        let fixture = try await FileFixture(FileServer.Behaviour(file: file))
        fixture.server.change { $0.missing = 404 }
        try await fixture.fetch()
        fixture.server.change { $0.missing = nil }
        #expect(try await fixture.fetch().summary.status == .completed)
        try await fixture.lookAgain(TestClock(pool: fixture.content.pool))
        #expect(
            try await fixture.value(
                """
                SELECT coalesce(min(result->>'outcome'), 'none') FROM tenure.job_history
                WHERE key LIKE 'again file %'
                """, as: String.self) == "notMissing")
        #expect(try await fixture.outcome() == "stored")
        fixture.server.change { $0.missing = 410 }
        try await fixture.fetch()
        #expect(try await fixture.outcome() == "gone")
    }
}

extension FileFixture {
    /// A day goes by, and what was to be done then is done.
    fileprivate func lookAgain(_ clock: TestClock) async throws {
        try await clock.advance(by: .seconds(86_400))
        var configuration = ContentConfiguration()
        try configuration.allow(["127.0.0.1"])
        configuration.hostInterval = .zero
        try await content.withWorkers(configuration: configuration) { try await clock.settled() }
    }

    fileprivate func outcome() async throws -> String {
        try await value("SELECT outcome FROM content.item")
    }
}
