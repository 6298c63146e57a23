import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

struct Edit: Job {
    static let kind: JobKind = "edit"
    static let options = JobOptions<Self>()
    let text: String
}

/// What a test's handlers saw, with the time.
final class Sightings: Sendable {
    private let all = Mutex<[(what: String, at: ContinuousClock.Instant)]>([])

    func saw(_ what: String) {
        let now = ContinuousClock.now
        all.withLock { $0.append((what, now)) }
    }

    var words: [String] { all.withLock { $0.map(\.what) } }

    func first(_ what: String) -> ContinuousClock.Instant? {
        all.withLock { $0.first { $0.what == what }?.at }
    }
}

@Suite struct SupersedeTests {
    /// Alone, and in a bulk of so many keys that the wake-up names their kind.
    @Test(arguments: [0, 20])
    func `a superseding enqueue reaches every child within 100 ms, with its reason`(
        others: Int
    ) async throws {
        let fixture = try await WorkerFixture("supersede")
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { edit, context in
            guard edit.text.hasPrefix("old") else { return .completed }
            await sleepInChildren(edit, seen)
            if case .superseded = context.endReason { seen.saw("reason") }
            throw CancellationError()
        }
        try await fixture.withWorker(jobs) {
            // Other tests may have both cores for a tenth of a second: one try of a few tells.
            var quickest = Duration.seconds(5)
            for number in 1...5 where quickest >= .milliseconds(100) * patience {
                let text = "old \(number)"
                try await fixture.client.enqueue(Edit(text: text), .superseding("page"))
                while seen.first("\(text) started") == nil {
                    try await Task.sleep(for: .milliseconds(5))
                }
                let keys = ["page"] + (0..<others).map { "page \($0) of \(number)" }
                let news = try keys.map { try NewJob(Edit(text: "new"), .superseding($0)) }
                try await fixture.client.enqueue(news)
                let committed = ContinuousClock.now
                try await fixture.eventually(
                    "all in history",
                    "SELECT count(*) = \((2 + others) * number) FROM tenure.job_history")
                let last = try (0..<3).map { try #require(seen.first("\(text) \($0)")) }.max()
                quickest = min(quickest, committed.duration(to: try #require(last)))
            }
            #expect(quickest < .milliseconds(100) * patience)
            #expect(seen.words.contains("reason"))
            #expect(
                try await fixture.value(
                    """
                    SELECT bool_and(outcome::text = CASE WHEN payload->>'text' = 'new'
                                    THEN 'completed' ELSE 'superseded' END) FROM tenure.job_history
                    """, as: Bool.self))
            #expect(
                try await fixture.value("SELECT count(*) FROM tenure.attempt_error", as: Int64.self)
                    == 0)
        }
    }

    private func sleepInChildren(_ edit: Edit, _ seen: Sightings) async {
        seen.saw("\(edit.text) started")
        await withTaskGroup(of: Void.self) { group in
            for child in 0..<3 {
                group.addTask {
                    do {
                        try await Task.sleep(for: .seconds(5))
                    } catch {
                        seen.saw("\(edit.text) \(child)")
                    }
                }
            }
        }
    }

    @Test
    func `a handler that ignores its cancellation and commits gets LateResult and leaves no row`()
        async throws
    {
        let fixture = try await WorkerFixture("late")
        try await fixture.pool.simple("CREATE TABLE effect (text text)")
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { edit, context in
            if edit.text == "old" {
                seen.saw("started")
                while context.endReason == nil { await Task.yield() }
                // Ignores it, in a task that nobody cancels.
                let result = await Task {
                    await Result<JobOutcome, any Error> {
                        try await context.commit { transaction in
                            try await transaction.query(
                                "INSERT INTO effect VALUES ($1)", [edit.text])
                        }
                    }
                }.value
                if case .failure(let late as LateResult) = result {
                    seen.saw("late \(late.became)")
                }
                return try result.get()
            }
            return try await context.commit { transaction in
                try await transaction.query("INSERT INTO effect VALUES ($1)", [edit.text])
            }
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Edit(text: "old"), .superseding("page"))
            while seen.first("started") == nil { try await Task.sleep(for: .milliseconds(5)) }
            try await fixture.client.enqueue(Edit(text: "new"), .superseding("page"))
            try await fixture.eventually(
                "both in history", "SELECT count(*) = 2 FROM tenure.job_history")
        }
        #expect(seen.words == ["started", "late superseded"])
        #expect(
            try await fixture.value("SELECT string_agg(text, ',') FROM effect", as: String.self)
                == "new")
    }

    @Test func `an open transaction that superseded delays no beat and no other key`() async throws
    {
        let fixture = try await WorkerFixture("open")
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { edit, _ in
            if edit.text == "slow" { try await Task.sleep(for: .seconds(2)) }
            return .completed
        }
        try await fixture.withWorker(jobs, slots: 8) {
            try await fixture.client.enqueue(Edit(text: "slow"), .superseding("locked"))
            try await fixture.eventually(
                "it runs", "SELECT count(*) = 1 FROM tenure.job WHERE state = 'running'")
            try await fixture.pool.transaction { transaction in
                try await transaction.simple("SET LOCAL idle_in_transaction_session_timeout = 0")
                try await transaction.query(
                    """
                    SELECT * FROM tenure.enqueue(
                        'edit', '{"text": "x"}', key => 'locked', notify => true)
                    """)
                let others = try (0..<50).map {
                    try NewJob(Edit(text: "other"), .superseding("key \($0)"))
                }
                try await fixture.client.enqueue(others)
                try await fixture.eventually(
                    "the others completed", within: .seconds(5),
                    "SELECT count(*) = 50 FROM tenure.job_history WHERE outcome = 'completed'")
                // Longer than the lease: the session lives by its beats alone. TENURE_HOLD_SECONDS
                // makes it longer.
                let hold = ProcessInfo.processInfo.environment["TENURE_HOLD_SECONDS"]
                try await Task.sleep(for: .seconds(hold.flatMap(Int.init) ?? 4))
                #expect(
                    try await fixture.value(
                        "SELECT count(*) FROM tenure.session WHERE ended_at IS NULL",
                        as: Int64.self) == 1)
                #expect(
                    try await fixture.value("SELECT max(beat) FROM tenure.session", as: Int64.self)
                        >= 8)
            }
            try await fixture.eventually(
                "the locked key settled", "SELECT count(*) = 52 FROM tenure.job_history")
        }
    }
}

extension Result where Failure == any Error {
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
