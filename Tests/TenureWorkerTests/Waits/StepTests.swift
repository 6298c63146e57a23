import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

/// Parts of a handler that are done once, however often it runs.
@Suite struct StepTests {
    struct Receipt: Codable, Sendable, Equatable { let number: Int }
    struct Broken: Error {}

    final class Calls: Sendable {
        private let names = Mutex<[String]>([])
        func add(_ name: String) { names.withLock { $0.append(name) } }
        var all: [String] { names.withLock { $0 } }
        func count(_ name: String) -> Int { all.count { $0 == name } }
    }

    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    private func finished(_ fixture: WorkerFixture, _ number: Int = 1) async throws {
        try await fixture.eventually(
            "it ended", "SELECT count(*) = \(number) FROM tenure.job_history")
    }

    @Test func `what is done is done once, and its result is had by each later run`() async throws {
        let fixture = try await WorkerFixture("steps")
        try await fixture.pool.simple("CREATE TABLE booking (job uuid)")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            let receipt = try await context.step("charge") {
                calls.add("charge")
                return Receipt(number: 7)
            }
            if context.runs == 1 { throw Broken() }
            let rows = try await context.step("book") { transaction in
                calls.add("book")
                try await transaction.query("INSERT INTO booking VALUES ($1)", [context.jobID.uuid])
                return 1
            }
            if context.runs == 2 { throw Broken() }
            try await context.step("mail") { calls.add("mail") }
            if context.runs == 3 { throw Broken() }
            calls.add("\(receipt.number) \(rows)")
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let job = try await fixture.client.enqueue(Ordering()).id
            try await finished(fixture)
            let detail = try #require(try await Inspector(pool: fixture.pool).job(job))
            #expect(detail.steps.map(\.name) == ["charge", "book", "mail"])
            #expect(detail.steps.map(\.type) == ["Receipt", "Int", "Void"])
            #expect(detail.steps.map(\.result) == [#"{"number": 7}"#, "1", nil])
            #expect(detail.steps.allSatisfy { $0.way == .done && $0.took != nil })
            #expect(Set(detail.steps.map(\.fence)).count == 3)
        }
        #expect(calls.all == ["charge", "book", "mail", "7 1"])
        #expect(try await fixture.value("SELECT count(*) FROM booking") == Int64(1))
    }

    @Test func `a name is used once in a run, and not for another type`() async throws {
        let fixture = try await WorkerFixture("steps")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            do {
                if context.runs == 1 {
                    _ = try await context.step("a") { 1 }
                    _ = try await context.step("a") { 2 }
                } else {
                    _ = try await context.step("a") { "text" }
                }
            } catch let error as TenureError {
                calls.add("\(error.code): \(error.message)")
                if context.runs == 1 { throw error }
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Ordering())
            try await finished(fixture)
        }
        #expect(calls.all.count == 2)
        #expect(calls.all[0].contains("uses the step \"a\" twice"))
        #expect(calls.all[1].contains("has kept a Int, and is asked for as a String"))
    }

    /// As a handler does that tries a call to somebody's server three times.
    @Test func `a step that failed may be tried again in the same run`() async throws {
        let fixture = try await WorkerFixture("steptries")
        try await fixture.pool.simple("CREATE TABLE booking (job uuid)")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            var charged: Int?
            while charged == nil {
                // Reason for `try?`: the next round is what is tested.
                charged = try? await context.step("charge") {
                    calls.add("charge")
                    if calls.count("charge") < 3 { throw Broken() }
                    return calls.count("charge")
                }
            }
            await #expect(throws: Broken.self) {
                try await context.step("book") { transaction in
                    try await transaction.query(
                        "INSERT INTO booking VALUES ($1)", [context.jobID.uuid])
                    throw Broken()
                }
            }
            try await context.step("book") { transaction in
                try await transaction.query("INSERT INTO booking VALUES ($1)", [context.jobID.uuid])
            }
            // What is kept is done, and its name is used.
            await #expect(throws: TenureError.self) { try await context.step("charge") {} }
            // Too large to be kept: whether it was done is not for a second try to say.
            for _ in 0..<2 {
                await #expect(throws: TenureError.self) {
                    try await context.step("large") {
                        calls.add("large")
                        return String(repeating: "x", count: 2 << 20)
                    }
                }
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            _ = try await fixture.client.enqueue(Ordering())
            try await finished(fixture)
        }
        #expect(calls.all == ["charge", "charge", "charge", "large"])
        #expect(try await fixture.value("SELECT count(*) FROM booking", as: Int64.self) == 1)
    }

    @Test func `a late run keeps no step, and none of its writes`() async throws {
        let fixture = try await WorkerFixture("steps")
        try await fixture.pool.simple("CREATE TABLE effect (n int)")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { job, context in
            guard job.number == 1 else { return .completed }
            do {
                // Apart from the task that the supersede cancels.
                try await Task {
                    try await context.step("write") { transaction in
                        try await transaction.query("INSERT INTO effect VALUES (1)")
                        calls.add("begun")
                        try await fixture.eventually(
                            "superseded", "SELECT max(floor) > 1 FROM tenure.subject")
                    }
                }.value
            } catch let late as LateResult {
                calls.add("\(late.became)")
                throw late
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Ordering(number: 1), .superseding("a"))
            try await until { calls.count("begun") == 1 }
            try await fixture.client.enqueue(Ordering(number: 2), .superseding("a"))
            try await finished(fixture, 2)
        }
        #expect(calls.all == ["begun", "lost"])
        #expect(try await fixture.value("SELECT count(*) FROM effect") == Int64(0))
        #expect(try await fixture.value("SELECT count(*) FROM tenure.job_step") == Int64(0))
    }

    /// A newer payload makes it another job: nothing of the old one is behind it.
    @Test func `a job that gets new content begins anew`() async throws {
        let fixture = try await WorkerFixture("steps")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { job, context in
            let number = try await context.step("read") { job.number }
            try await context.signal("go")
            calls.add("\(number)")
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let first = try await fixture.client.enqueue(Ordering(number: 1), .coalescing("a"))
            try await fixture.eventually(
                "waits", "SELECT count(*) = 1 FROM tenure.job WHERE state = 'waiting'")
            let second = try await fixture.client.enqueue(Ordering(number: 2), .coalescing("a"))
            #expect(second.id == first.id)
            try await fixture.eventually(
                "waits anew", "SELECT count(*) = 1 FROM tenure.job WHERE state = 'waiting'")
            try await fixture.client.signal(Ordering.self, key: "a", "go")
            try await finished(fixture)
        }
        #expect(calls.all == ["2"])
    }

    @Test func `what failed is run again behind what it had done, what completed from the start`()
        async throws
    {
        let fixture = try await WorkerFixture("steps")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { job, context in
            try await context.step("charge") { calls.add("charge") }
            if calls.all.count == 1, job.number == 1 { return .discard(reason: "later") }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            let operators = Operator(client: fixture.client, as: "eve")
            let job = try await fixture.client.enqueue(Ordering(number: 1)).id
            try await finished(fixture)
            calls.add("retried")
            let again = try #require(try await operators.retry(job))
            try await finished(fixture, 2)
            #expect(calls.all == ["charge", "retried"])
            _ = try await operators.retry(again.id)
            try await finished(fixture, 3)
            #expect(calls.all == ["charge", "retried", "charge"])
        }
    }

    @Test func `steps of parallel children are kept each`() async throws {
        let fixture = try await WorkerFixture("steps")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await context.step("part \(number)") {
                            calls.add("part")
                            return number
                        }
                    }
                }
                let sum = try await group.reduce(0, +)
                if context.runs == 1 { throw Broken() }
                calls.add("\(sum)")
            }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Ordering())
            try await finished(fixture)
        }
        #expect(calls.count("part") == 20)
        #expect(calls.count("190") == 1)
    }

    @Test func `a job has a thousand steps at most, each of a megabyte`() async throws {
        let fixture = try await WorkerFixture("steps")
        let calls = Calls()
        var jobs = JobRegistry()
        jobs.handle(Ordering.self) { _, context in
            do {
                _ = try await context.step("large") { String(repeating: "x", count: 1 << 20) }
            } catch let error as TenureError { calls.add(error.message) }
            try await context.client.pool.simple(
                """
                INSERT INTO tenure.job_step (job_id, name, fence, how)
                SELECT '\(context.jobID)', n::text, 0, 'done' FROM generate_series(1, 1000) AS n
                """)
            do {
                try await context.step("more") {}
            } catch let error as PostgresError { calls.add(error.sqlState ?? "") }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.client.enqueue(Ordering())
            try await finished(fixture)
        }
        #expect(calls.all.count == 2)
        #expect(calls.all.first?.contains("result has 1048578 bytes") ?? false)
        #expect(calls.all.last == "TN003")
    }
}

struct Ordering: Job {
    static let kind: JobKind = "ordering"
    static let options = JobOptions<Self>(
        retry: .constant(.milliseconds(1)), secretFields: ["card"])
    var number = 0
    var card: String?
}
