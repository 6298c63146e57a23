import Logging
import Tenure
import TenurePostgres
import Testing

@testable import TenureWorker

/// The last lines that runs log, kept with their jobs where the kind asks.
@Suite struct RunLogTests {
    private struct Told: Job {
        static let kind: JobKind = "told"
        static let options = JobOptions<Self>(
            retry: .constant(maxAttempts: 3, .milliseconds(50)), secretFields: ["card"],
            keepsLog: true)
        var way = "returns"
        var card = "4111-1111"
    }
    private struct Silent: Job {
        static let kind: JobKind = "silent"
        static let options = JobOptions<Self>()
        let n: Int
    }

    private func registry() -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Told.self) { told, context in
            context.log.info("begins", metadata: ["run": "\(context.runs)"])
            context.log.debug("too quiet")
            switch told.way {
            case "returns": return .completed
            case "result": return try .completed(result: 7)
            case "many":
                for line in 1...500 { context.log.notice("line \(line)") }
                return .completed
            case "secret":
                context.log.error("card \(told.card) \0 was refused")
                return .completed
            case "commits":
                return try await context.commit { _ in context.log.info("wrote") }
            case "checkpoint":
                try await context.checkpoint { _ in context.log.info("kept") }
                context.log.info("later")
                throw Broken()
            case "snoozes" where context.runs == 1: return .snooze(for: .milliseconds(20))
            case "fails": throw Broken()
            default: return .discard(reason: "no use")
            }
        }
        jobs.handle(Silent.self) { _, context in
            context.log.info("begins")
            return .completed
        }
        return jobs
    }

    private func log(_ way: String) async throws -> [JobLogLine] {
        let fixture = try await WorkerFixture("log")
        return try await fixture.withWorker(registry()) {
            let job = try await fixture.client.enqueue(Told(way: way)).id
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
            return try #require(try await Inspector(pool: fixture.pool).job(job)).log
        }
    }

    @Test(arguments: [
        ("returns", ["begins run=1"]), ("result", ["begins run=1"]),
        ("commits", ["begins run=1", "wrote"]), ("snoozes", ["begins run=1", "begins run=2"]),
        ("fails", ["begins run=1", "begins run=2", "begins run=3"]), ("odd", ["begins run=1"]),
        (
            "checkpoint",
            (1...3).flatMap { ["begins run=\($0)", "kept", "later"] }
        ),
    ])
    func `they are there when the job has ended, however it did`(
        way: String, lines: [String]
    ) async throws {
        let log = try await log(way)
        #expect(log.map(\.message) == lines)
        #expect(log.allSatisfy { $0.level == "info" && $0.at != nil })
        #expect(log.map(\.fence) == log.map(\.fence).sorted())
    }

    @Test func `of many the last two hundred are kept`() async throws {
        let log = try await log("many")
        #expect(log.map(\.message) == (301...500).map { "line \($0)" })
    }

    @Test func `a secret is masked, and what can't be stored is left out`() async throws {
        let log = try await log("secret")
        try #require(log.count == 2)
        #expect(!log[1].message.contains("4111"))
        #expect(log[1].message.hasSuffix("  was refused"))
    }

    @Test func `lines as long as may be are cut, and the oldest give way`() throws {
        let log = RunLog()
        for number in 1...200 {
            log.add(.info, "\(number) " + String(repeating: "é\u{1}", count: 3000))
        }
        let json = try #require(log.json(.none))
        #expect(json.utf8.count < 220_000)
        #expect(json.contains("\"200 é"))
        #expect(!json.contains("\"1 é"))
        #expect(RunLog().json(.none) == nil)
    }

    @Test func `a kind that doesn't ask has no row`() async throws {
        let fixture = try await WorkerFixture("log")
        try await fixture.withWorker(registry()) {
            try await fixture.client.enqueue(Silent(n: 1))
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        #expect(try await fixture.count("tenure.job_log") == 0)
    }

    @Test func `members of a chunk bring their own`() async throws {
        let fixture = try await WorkerFixture("log")
        let writer = ChunkWriter<Int64>(upTo: 10) { _, _ in }
        var jobs = JobRegistry()
        jobs.handle(Told.self) { told, context in
            context.log.info("I am \(told.way)")
            return try await context.commit(1, by: writer)
        }
        let ids = try await fixture.withWorker(jobs) {
            var ids: [JobID] = []
            for number in 1...8 {
                ids.append(try await fixture.client.enqueue(Told(way: "\(number)")).id)
            }
            try await fixture.eventually(
                "they ended", "SELECT count(*) = 8 FROM tenure.job_history")
            return ids
        }
        for (number, id) in ids.enumerated() {
            let log = try #require(try await Inspector(pool: fixture.pool).job(id)).log
            #expect(log.map(\.message) == ["I am \(number + 1)"])
        }
    }
}
