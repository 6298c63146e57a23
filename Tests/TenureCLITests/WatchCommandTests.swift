import Foundation
import Tenure
import Testing

@Suite struct WatchCommandTests {
    /// A run of jobs that nobody knows.
    private func start(_ fixture: Fixture, jobs: Int) async throws -> String {
        let run = NewRun(try (0..<jobs).map { _ in try NewJob(kind: "strange", payload: "{}") })
        try await fixture.client.start(run)
        return run.id.uuidString.lowercased()
    }

    @Test func `a run is watched to its end, a line for each look`() async throws {
        let fixture = try await Fixture()
        let run = try await start(fixture, jobs: 2)
        let watch = try fixture.tenure.start("watch", run, "--json", "--every", "50ms")
        try await fixture.eventually(
            "it has looked",
            """
            SELECT count(*) > 0 FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND query LIKE '%tenure.run_progress(%' AND state = 'idle'
            """)
        try await fixture.pool.simple("DELETE FROM tenure.job")
        try await fixture.pool.simple("SELECT tenure.settle_runs('{\(run)}')")
        let result = try await watch.result()
        #expect(result.code == 0)
        let lines = try result.output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(lines.first?["unfinished"] as? Int == 2)
        #expect(lines.first?["endedAt"] is NSNull)
        #expect(lines.last?["unfinished"] as? Int == 0)
        #expect(lines.last?["completed"] as? Int == 0)
        #expect(lines.last?["endedAt"] is String)
    }

    @Test func `a run is cancelled and watched to its end`() async throws {
        let fixture = try await Fixture()
        let run = try await start(fixture, jobs: 1200)
        let result = try await fixture.tenure.run("watch", run, "--cancel")
        #expect(result.code == 3)
        #expect(result.output.contains("1200 cancelled"))
        #expect(try await fixture.jobs() == 0)
    }

    @Test func `a run whose follow-up was refused says so, and is a finding`() async throws {
        let fixture = try await Fixture()
        let over = NewRun([])
        try await fixture.client.start(over)
        var options = EnqueueOptions()
        options.run = over.id
        let run = NewRun([], whenEnded: try NewJob(kind: "last", payload: "{}", options: options))
        try await fixture.client.start(run)
        let result = try await fixture.tenure.run("watch", run.id.uuidString)
        #expect(result.code == 1)
        #expect(result.output.contains("what was to follow was refused: run "))
        let json = try await fixture.tenure.run("watch", run.id.uuidString, "--json")
        #expect(json.output.contains(#""followUpRefused":"run "#))
    }

    @Test func `what is no run is refused in one line`() async throws {
        let fixture = try await Fixture()
        for run in ["7", UUID().uuidString] {
            let result = try await fixture.tenure.run("watch", run)
            #expect(result.code == 2)
            #expect(result.errorLines.count == 1)
        }
    }
}
