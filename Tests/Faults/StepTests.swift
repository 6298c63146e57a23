import FaultSupport
import Foundation
import Synchronization
import Tenure
import TestSupport
import Testing

/// A workflow of ten steps whose worker is killed at each of its statements: before it arrives, and
/// after it was run, before its answer does. With `TENURE_STEP_KILLS=all` at every one: before a
/// release, `bin/test steps`.
@Suite(.serialized) struct StepTests {
    private static let isWhole = ProcessInfo.processInfo.environment["TENURE_STEP_KILLS"] == "all"
    /// Each with a database of its own.
    private static let side = 4
    private static let daily = 11

    @Test func `each step's effect is there once, at whatever statement its worker is killed`()
        async throws
    {
        let tally = Tally(stride: Self.isWhole ? 1 : Self.daily)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.side {
                group.addTask {
                    let fixture = try await FaultFixture()
                    try await fixture.pool.simple(
                        "CREATE TABLE step_effect (job uuid, step integer, drawn bigint)")
                    while let number = tally.next() {
                        for cut in [ProxyRules.CommitCut.before, .reply] {
                            let run = WorkflowRun(fixture: fixture, number: number, cut: cut)
                            tally.add(try await run.run(), at: number)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (kills, last, wrong) = tally.figures
        #expect(wrong.isEmpty, "\(wrong.prefix(5).joined(separator: "\n"))")
        #expect(kills >= (Self.isWhole ? 60 : 6), "so few kills are no proof: \(kills)")
        print(
            "ten steps: \(kills) kills, at the last of its \(last) statements, too; "
                + "\(wrong.count) times an effect too many or too few")
    }
}

/// At which statements workers are killed, and what came of it.
private final class Tally: Sendable {
    private struct State {
        var next = 1
        var last = Int.max
        var kills = 0
        var wrong: [String] = []
    }

    private let stride: Int
    private let state = Mutex(State())

    init(stride: Int) { self.stride = stride }

    /// The next number; nil once a worker had fewer statements than that.
    func next() -> Int? {
        state.withLock { state in
            guard state.next <= state.last else { return nil }
            defer { state.next += stride }
            return state.next
        }
    }

    func add(_ found: WorkflowRun.Found, at number: Int) {
        state.withLock { state in
            state.wrong += found.wrong
            if found.isKilled { state.kills += 1 } else { state.last = min(state.last, number - 1) }
        }
    }

    var figures: (kills: Int, last: Int, wrong: [String]) {
        state.withLock { ($0.kills, $0.last, $0.wrong) }
    }
}

/// One job, whose first worker is killed at a statement, and which another one finishes.
private struct WorkflowRun {
    let fixture: FaultFixture
    let number: Int
    let cut: ProxyRules.CommitCut

    struct Found {
        /// The statement came.
        let isKilled: Bool
        let wrong: [String]
    }

    func run() async throws -> Found {
        let payload = #"{"plan": {"milliseconds": [0], "behaviour": "stepping"}}"#
        let job = try NewJob(kind: "work", payload: payload, maxAttempts: 20)
        let id = try await fixture.client.enqueue([job])[0].id
        let isKilled = try await runToTheKill(id)
        let other = try WorkerProcess(conninfo: fixture.conninfo, lease: 1.5)
        defer { other.send(SIGKILL) }
        try await fixture.eventually(
            "\(number), \(cut.rawValue): done", within: .seconds(60),
            "SELECT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = '\(id)')")
        let wrong = try await fixture.pool.query(
            """
            SELECT format('step %s: %s times, %s numbers', s.step, count(e.job),
                          count(DISTINCT all_of.drawn))
            FROM generate_series(1, 9) AS s (step)
            LEFT JOIN step_effect e ON e.step = s.step AND e.job = $1::uuid
            LEFT JOIN step_effect all_of ON all_of.job = $1::uuid
            GROUP BY s.step
            HAVING count(DISTINCT e.ctid) <> 1 OR count(DISTINCT all_of.drawn) <> 1
            """, [id.uuid]
        ) { try $0.decode(0, as: String.self) }
        other.send(SIGTERM)
        _ = try await other.end()
        return Found(
            isKilled: isKilled, wrong: wrong.map { "\(number), \(cut.rawValue): \($0)" })
    }

    private func runToTheKill(_ id: JobID) async throws -> Bool {
        let proxy = try DatabaseProxy(to: fixture.postgres.socketFile)
        proxy.arm(cut, atStatement: number)
        let worker = try WorkerProcess(conninfo: proxy.conninfo(fixture.conninfo), lease: 1.5)
        defer {
            worker.send(SIGKILL)
            proxy.hangUp()
        }
        let end = ContinuousClock.now + .seconds(60)
        while proxy.cutAt == nil {
            try #require(ContinuousClock.now < end, "neither killed nor done: \(number)")
            let isDone = try await fixture.number(
                "SELECT count(*) FROM tenure.job_history WHERE id = '\(id)'")
            if isDone > 0 { return false }
            try await Task.sleep(for: .milliseconds(5))
        }
        // The server runs it.
        if cut == .reply { try await Task.sleep(for: .milliseconds(60)) }
        worker.send(SIGKILL)
        _ = try await worker.end()
        return true
    }
}
