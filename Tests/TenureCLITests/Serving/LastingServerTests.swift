import Logging
import Synchronization
import Testing

@testable import TenureCLI

@Suite struct LastingServerTests {
    private struct Died: Error {}
    /// What was logged, and how often it was tried.
    private final class Notes: Sendable {
        let lines = Mutex<[String]>([])
        let runs = Mutex(0)

        func next() -> Int {
            runs.withLock { runs in
                runs += 1
                return runs
            }
        }

        func reach(_ runs: Int) async throws {
            let end = ContinuousClock.now + .seconds(20)
            while self.runs.withLock({ $0 }) < runs {
                try #require(ContinuousClock.now < end, "it is not tried again")
                try await Task.sleep(for: .milliseconds(2))
            }
        }

        var logger: Logger { Logger(label: "test") { _ in Lines(notes: self) } }
    }
    private struct Lines: LogHandler {
        let notes: Notes
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { notes.lines.withLock { $0.append("\(event.level)") } }
    }

    private func server(_ notes: Notes, _ run: @escaping LastingServer.Run) -> LastingServer {
        LastingServer(
            called: "the server", pause: .milliseconds(5), logger: notes.logger, run: run)
    }

    @Test func `one that dies is tried again, and told of once a change`() async throws {
        let notes = Notes()
        let server = server(notes) { listening in
            // Up, away for four tries, up again.
            let run = notes.next()
            if run == 1 || run == 6 { listening() }
            if run == 6 { try await Task.sleep(for: .seconds(600)) }
            throw Died()
        }
        try await server.serve { try await notes.reach(6) }
        #expect(notes.lines.withLock { $0 } == ["warning", "notice"])
    }

    @Test func `one that never comes again ends nothing`() async throws {
        let notes = Notes()
        let server = server(notes) { listening in
            if notes.next() == 1 { listening() }
            throw Died()
        }
        try await server.serve { try await notes.reach(20) }
        #expect(notes.lines.withLock { $0 } == ["warning"])
    }

    @Test func `one that can't start is an error, before anything else has begun`() async {
        let notes = Notes()
        await #expect(throws: Died.self) {
            try await server(notes) { _ in throw Died() }.serve { Issue.record("it began") }
        }
        #expect(notes.lines.withLock { $0 }.isEmpty)
    }

    @Test func `the error of what it stands beside is passed on`() async {
        let notes = Notes()
        let server = server(notes) { listening in
            listening()
            try await Task.sleep(for: .seconds(600))
        }
        await #expect(throws: Died.self) { try await server.serve { throw Died() } }
    }
}
