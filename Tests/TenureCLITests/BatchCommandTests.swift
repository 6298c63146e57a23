import Foundation
import Tenure
import Testing

@Suite struct BatchCommandTests {
    /// A batch of jobs that nobody knows.
    private func start(_ fixture: Fixture, jobs: Int) async throws -> String {
        let batch = NewBatch(try (0..<jobs).map { _ in try NewJob(kind: "strange", payload: "{}") })
        try await fixture.client.start(batch)
        return batch.id.uuidString.lowercased()
    }

    @Test func `a batch is watched to its end, a line for each look`() async throws {
        let fixture = try await Fixture()
        let batch = try await start(fixture, jobs: 2)
        let watch = try fixture.tenure.start("batch", "watch", batch, "--json", "--every", "50ms")
        try await fixture.eventually(
            "it has looked",
            """
            SELECT count(*) > 0 FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
              AND query LIKE '%tenure.batch_progress(%' AND state = 'idle'
            """)
        try await fixture.pool.simple("DELETE FROM tenure.job")
        try await fixture.pool.simple("SELECT tenure.settle_batches('{\(batch)}')")
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

    @Test func `which jobs of a batch wait for which is drawn`() async throws {
        let fixture = try await Fixture()
        let outside = try NewJob(kind: "out\"side", payload: "{}")
        try await fixture.client.enqueue([outside])
        let first = try NewJob(kind: "first", payload: "{}")
        let second = try NewJob(
            kind: "second", payload: "{}",
            options: EnqueueOptions(after: [.completed(first.id), .ended(outside.id)]))
        let third = try NewJob(
            kind: "third", payload: "{}",
            options: EnqueueOptions(after: [.completed(second.id), .ended(first.id)]))
        let batch = NewBatch([third, second, first])
        try await fixture.client.start(batch)
        let id = batch.id.uuidString.lowercased()
        let text = try await fixture.tenure.run("batch", "show", id, "--graph", "text").output
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.contains("\(outside.id) (of no job here)"), "\(text)")
        #expect(lines.contains("\(first.id) first available"), "\(text)")
        #expect(lines.contains("    ╰─ \(third.id) third waiting"), "\(text)")
        #expect(lines.contains { $0.hasSuffix("\(second.id) second waiting (above)") }, "\(text)")
        let dot = try await fixture.tenure.run("batch", "show", id, "--graph", "dot").output
        #expect(dot.hasPrefix("digraph batch {"))
        #expect(dot.contains("\"\(first.id)\" -> \"\(second.id)\";"), "\(dot)")
        #expect(dot.contains("\"\(outside.id)\" -> \"\(second.id)\" [style=dashed];"), "\(dot)")
        #expect(try await fixture.tenure.run("batch", "show", id, "--graph", "x").code != 0)
    }

    @Test func `a batch is cancelled, once, and watched to its end`() async throws {
        let fixture = try await Fixture()
        let batch = try await start(fixture, jobs: 1200)
        let result = try await fixture.tenure.run("batch", "cancel", batch, "--wait")
        #expect(result.code == 0)
        #expect(result.output.hasPrefix("cancelled: "))
        #expect(result.output.contains("1200 cancelled"))
        let watched = try await fixture.tenure.run("batch", "watch", batch)
        #expect(watched.code == 3)
        #expect(try await fixture.tenure.run("batch", "cancel", batch).code == 1)
        #expect(try await fixture.jobs() == 0)
    }

    @Test func `a batch whose follow-up was refused says so, and is a finding`() async throws {
        let fixture = try await Fixture()
        let over = NewBatch([])
        try await fixture.client.start(over)
        var options = EnqueueOptions()
        options.batch = over.id
        let batch = NewBatch(
            [], whenEnded: try NewJob(kind: "last", payload: "{}", options: options))
        try await fixture.client.start(batch)
        let result = try await fixture.tenure.run("batch", "watch", batch.id.uuidString)
        #expect(result.code == 1)
        #expect(result.output.contains("what was to follow was refused: batch "))
        let json = try await fixture.tenure.run("batch", "watch", batch.id.uuidString, "--json")
        #expect(json.output.contains(#""followUpRefused":"batch "#))
    }

    @Test func `what is no batch is refused in one line`() async throws {
        let fixture = try await Fixture()
        for batch in ["7", UUID().uuidString] {
            for verb in ["watch", "show", "cancel"] {
                let result = try await fixture.tenure.run("batch", verb, batch)
                #expect(result.code == 2, "\(verb)")
                #expect(result.errorLines.count == 1, "\(verb)")
            }
        }
    }

    @Test func `batches are listed, shown, and their jobs found`() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.tenure.run("batch", "list").output.hasPrefix("no batches are"))
        let old = try await start(fixture, jobs: 1)
        let new = try await start(fixture, jobs: 2)
        #expect(try await fixture.tenure.run("batch", "cancel", old).code == 0)
        let open = try await fixture.tenure.run("batch", "list", "--json").array()
        #expect(open.map { $0["batch"] as? String } == [new])
        #expect(open.first?["state"] as? String == "open")
        #expect(open.first?["unfinished"] as? Int == 2)
        let all = try await fixture.tenure.run("batch", "list", "--all", "--json").array()
        #expect(all.map { $0["batch"] as? String } == [new, old])
        let shown = try await fixture.tenure.run("batch", "show", old, "--json").object()
        #expect(shown["state"] as? String == "cancelled")
        #expect(shown["cancelled"] as? Int == 1)
        #expect(try await fixture.tenure.run("batch", "show", new).output.contains("unfinished"))
        let jobs = try await fixture.tenure.run("job", "list", "--batch", new, "--json").array()
        #expect(jobs.count == 2)
        let dry = try await fixture.tenure.run(
            "job", "cancel", "--all", "--batch", new, "--dry-run")
        #expect(dry.output.contains("2 jobs match"))
    }
}
