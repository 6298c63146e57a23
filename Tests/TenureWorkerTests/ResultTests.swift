import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

private struct Add: Job {
    static let kind: JobKind = "add"
    static let options = JobOptions<Self>(retry: .never)
    var a = 1
    var b = 1
    /// How it ends instead of with a sum.
    var instead: String?
}

/// What was notified of ends.
private final class Said: Sendable {
    private let payloads = Mutex<[String]>([])
    var ends: [String] { payloads.withLock { $0.filter { $0.hasPrefix("end:") } } }

    func hear(_ event: PostgresListenerEvent) {
        guard case .notification(let one) = event else { return }
        payloads.withLock { $0.append(one.payload) }
    }
}

/// Waiting for a job's end, with real workers.
@Suite(.serialized) struct ResultTests {
    private var jobs: JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Add.self) { job, context in
            switch job.instead {
            case "nothing": return .completed
            case "discard": return .discard(reason: "no use")
            case "fail": throw NeverHappened(what: "arithmetic")
            case "commit": return try await context.commit(.completed(result: job.a * 10))
            case "slow": try await Task.sleep(for: .milliseconds(1500))
            case "wait": try await Task.sleep(for: .seconds(600))
            default: break
            }
            return try .completed(result: job.a + job.b)
        }
        return jobs
    }

    private func code(_ body: () async throws -> Void) async -> TenureError.Code? {
        do { try await body() } catch { return (error as? TenureError)?.code }
        return nil
    }

    @Test func `whoever waits gets what the job completed with`() async throws {
        let fixture = try await WorkerFixture("result")
        let client = fixture.client
        try await fixture.withWorker(jobs) {
            let sum = try await client.enqueue(Add(a: 2, b: 3))
            #expect(try await client.result(of: sum.id, as: Int.self) == 5)
            let committed = try await client.enqueue(Add(a: 4, instead: "commit"))
            #expect(try await client.result(of: committed.id, as: Int.self) == 40)
            let nothing = try await client.enqueue(Add(instead: "nothing"))
            #expect(try await client.result(of: nothing.id, as: Int?.self) == nil)
            #expect(
                await code { _ = try await client.result(of: nothing.id, as: Int.self) }
                    == .unreadableResult)
            #expect(
                await code { _ = try await client.result(of: sum.id, as: String.self) }
                    == .unreadableResult)
        }
    }

    @Test func `whoever waits hears how else the job ended, and why`() async throws {
        let fixture = try await WorkerFixture("ends")
        let client = fixture.client
        try await fixture.withWorker(jobs) {
            let discarded = try await client.enqueue(Add(instead: "discard"))
            let failed = try await client.enqueue(Add(instead: "fail"))
            let old = try await client.enqueue(Add(instead: "wait"), .superseding("k"))
            let cancelled = try await client.enqueue(Add(instead: "wait"))
            async let ends = [
                client.end(of: discarded.id), client.end(of: failed.id), client.end(of: old.id),
                client.end(of: cancelled.id),
            ]
            try await client.enqueue(Add(), .superseding("k"))
            try await Operator(client: client, as: "ada").cancel(cancelled.id)
            let all = try await ends
            #expect(all.map(\.status) == [.discarded, .discarded, .superseded, .cancelled])
            #expect(all[0].reason == "no use")
            #expect(all[1].lastError?.contains("arithmetic") ?? false)
            #expect(all[3].reason == "ada")
            for (end, expected) in zip(
                all, [TenureError.Code.discarded, .discarded, .superseded, .cancelled])
            {
                #expect(await code { _ = try end.decoded(as: Int.self) } == expected)
            }
        }
    }

    @Test func `a deadline ends the wait and not the job`() async throws {
        let fixture = try await WorkerFixture("deadline")
        let client = fixture.client
        let job = try await client.enqueue(Add(a: 1, b: 1))
        let start = ContinuousClock.now
        #expect(
            await code {
                _ = try await client.result(
                    of: job.id, as: Int.self, deadline: .milliseconds(300))
            } == .deadlineExceeded)
        let took = ContinuousClock.now - start
        #expect(took >= .milliseconds(300) && took < .seconds(3))
        #expect(
            await code { _ = try await client.end(of: JobID(), deadline: .seconds(5)) }
                == .notFound)
        try await fixture.withWorker(jobs) {
            let sum = try await client.result(of: job.id, as: Int.self)
            #expect(sum == 2)
        }
    }

    @Test func `a queue that keeps nothing has nothing to tell, and says so`() async throws {
        let fixture = try await WorkerFixture("unkept")
        let client = fixture.client
        try await fixture.pool.simple(
            "INSERT INTO tenure.queue (name, keep_completed) VALUES ('default', false)")
        try await fixture.withWorker(jobs) {
            let job = try await client.enqueue(Add(instead: "slow"))
            #expect(await code { _ = try await client.end(of: job.id) } == .notKept)
        }
    }

    @Test func `where workers hear nothing, an end is found by looking`() async throws {
        let fixture = try await WorkerFixture("looked")
        let client = fixture.client
        let deaf: (inout WorkerConfiguration) -> Void = { $0.listens = false }
        try await fixture.withWorker(jobs, change: deaf) {
            let start = ContinuousClock.now
            let job = try await client.enqueue(Add(a: 3, b: 4, instead: "slow"))
            let sum = try await client.result(of: job.id, as: Int.self)
            #expect(sum == 7)
            #expect(ContinuousClock.now - start < .seconds(15))  // of 30: not at the deadline
        }
    }

    /// Long after its start a wait looks once a second: what comes sooner was told.
    @Test(.disabled(if: TestPostgres.isPooled, "a pooler hides notifications"))
    func `an end is told to those who wait, and to nobody else`() async throws {
        let fixture = try await WorkerFixture("told")
        let client = fixture.client
        let said = Said()
        let listener = PostgresListener(
            configuration: fixture.pool.configuration, channels: ["tenure_endings"])
        let (told, waited) = try await fixture.withWorker(jobs) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await listener.run() }
                group.addTask { for await event in listener.events { said.hear(event) } }
                var told: [Duration] = []
                var waited: Set<String> = []
                for _ in 1...5 {
                    _ = try await client.enqueue(Add())  // nobody waits for these
                    let job = try await client.enqueue(Add(instead: "slow"))
                    _ = try await client.end(of: job.id)
                    waited.insert("end:\(job.id)")
                    let age = try await fixture.value(
                        "SELECT extract(epoch FROM clock_timestamp() - finished_at)::float8 "
                            + "FROM tenure.job_history WHERE id = '\(job.id)'", as: Double.self)
                    told.append(.seconds(age))
                }
                // The listener hears the last one when it does.
                let patience = ContinuousClock.now + .seconds(5)
                while said.ends.count < 5, .now < patience {
                    try await Task.sleep(for: .milliseconds(20))
                }
                group.cancelAll()
                return (told.sorted(), waited)
            }
        }

        #expect(told[2] < .milliseconds(100))
        // Whoever had not begun to listen yet has missed the first.
        #expect(said.ends.count >= 3 && waited.isSuperset(of: said.ends))
    }
}
