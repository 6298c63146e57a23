import FaultSupport
import Foundation
import Tenure
import Testing

/// Graphs of jobs that wait for each other, while some fail, are cancelled and superseded, and
/// their workers are killed. With `TENURE_GRAPHS=20` so many of 2,000 jobs each: before a release,
/// `bin/test graphs`.
@Suite(.serialized) struct GraphTests {
    private static let graphs =
        ProcessInfo.processInfo.environment["TENURE_GRAPHS"].flatMap(Int.init)
    private static let size = graphs == nil ? 500 : 2000
    private static let workers = 3
    private static let killInterval = Duration.seconds(1)

    @Test(arguments: 1...(graphs ?? 1))
    func `each job ends as its graph, and what was done to it, has it`(seed: Int) async throws {
        let fixture = try await FaultFixture()
        let graph = JobGraph(of: Self.size, seed: UInt64(seed))
        _ = try await fixture.client.enqueue(try graph.jobs(payload: Self.payload))
        let kills = try await runAll(graph, fixture)
        let ends = try await fixture.pool.execute(ReadEnds())
        let wrong = graph.wrong(ends)
        #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "\n"))")
        let counts = Dictionary(ends.map { ($0.outcome, 1) }, uniquingKeysWith: +)
            .sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print(
            "graph \(seed): \(Self.size) jobs, \(graph.edges) edges, \(kills) kills: \(counts); "
                + "\(wrong.count) not as the oracle has it")
    }

    private static func payload(_ conduct: JobGraph.Conduct) -> String {
        let plan =
            switch conduct {
            case .plain: #""milliseconds": [0], "behaviour": "plain""#
            case .discarding: #""milliseconds": [0], "behaviour": "discarding""#
            case .flaky: #""milliseconds": [0], "behaviour": "flaky", "times": 1"#
            case .steady: #""milliseconds": [400], "behaviour": "steady""#
            }
        return #"{"plan": {\#(plan)}}"#
    }

    /// Kills one worker after the other, and does to jobs what the graph has planned, until all
    /// are over.
    private func runAll(_ graph: JobGraph, _ fixture: FaultFixture) async throws -> Int {
        let someone = Operator(client: fixture.client, as: "someone")
        func start() throws -> WorkerProcess {
            try WorkerProcess(conninfo: fixture.conninfo, lease: 1.5, slots: 8)
        }
        var live = try (0..<Self.workers).map { _ in try start() }
        defer { for worker in live { worker.send(SIGKILL) } }
        var deeds = graph.deeds[...]
        var kills = 0
        // A worker looks for ends that nobody settles within its first second.
        var nextKill = ContinuousClock.now + Self.killInterval
        let end = ContinuousClock.now + .seconds(120)
        while try await fixture.number("SELECT count(*) FROM (SELECT FROM tenure.job LIMIT 1) j")
            > 0 || !deeds.isEmpty
        {
            try #require(ContinuousClock.now < end, "the jobs don't come to their end")
            // One after the other, while jobs run.
            if let deed = deeds.popFirst() {
                switch deed {
                case .cancel(let node): try await someone.cancel(graph.nodes[node].id)
                case .supersede(let node):
                    _ = try await fixture.client.enqueue(
                        [try graph.successor(of: node, payload: Self.payload)])
                }
            }
            if ContinuousClock.now >= nextKill {
                nextKill += Self.killInterval
                live.removeFirst().send(SIGKILL)
                live.append(try start())
                kills += 1
            }
            try await Task.sleep(for: .milliseconds(150))
        }
        for worker in live { worker.send(SIGTERM) }
        for worker in live { _ = try await worker.end() }
        live = []
        return kills
    }
}

private struct ReadEnds: PostgresStatement {
    static let sql = """
        SELECT h.id, h.key, h.outcome::text,
               (extract(epoch FROM least(h.claimed_at, (
                   SELECT min(e.failed_at) FROM tenure.attempt_error e
                   WHERE e.job_id = h.id))) * 1000000)::int8,
               (extract(epoch FROM h.finished_at) * 1000000)::int8
        FROM tenure.job_history h
        """

    static func decode(_ row: borrowing PostgresRow) throws -> JobGraph.End {
        JobGraph.End(
            id: JobID(try row.decode(0, as: UUID.self)), key: try row.decode(1),
            outcome: try row.decode(2), startedAt: try row.decode(3),
            finishedAt: try row.decode(4))
    }
}
