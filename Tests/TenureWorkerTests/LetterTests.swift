import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

private struct Refund: Job, Equatable {
    static let kind: JobKind = "refund"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 1, .zero), deadLetter: .to(RefundFailed.self),
        secretFields: ["card.number"])
    let invoice: Int
    let amount: Decimal
    let card: Card

    struct Card: Codable, Equatable { let number: String }

    static let one = Refund(
        invoice: 7, amount: Decimal(string: "0.12345678901234567890123456789")!,
        card: Card(number: "4000-1234"))
}

private struct RefundFailed: LetterJob {
    static let kind: JobKind = "refund-failed"
    static let options = JobOptions<Self>(
        queue: "desk", priority: 2, retry: .constant(maxAttempts: 3, .zero))
    let letter: DeadLetter
}

private struct NoMoney: Error, CustomStringConvertible {
    let description: String
}

/// Letters, as handlers get them.
@Suite struct LetterTests {
    private actor Read {
        var letters: [(letter: DeadLetter, refund: Refund, attempts: Int)] = []
        func add(_ letter: DeadLetter, _ refund: Refund, _ attempts: Int) {
            letters.append((letter, refund, attempts))
        }
    }

    private func registry(
        _ read: Read, _ refund: @escaping @Sendable (Refund) throws -> JobOutcome
    ) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Refund.self) { job, _ in try refund(job) }
        jobs.handle(RefundFailed.self) { job, context in
            try await read.add(job.letter, job.letter.payload(as: Refund.self), context.attempt)
            return .completed
        }
        return jobs
    }

    private let desk: @Sendable (inout WorkerConfiguration) -> Void = {
        $0.queues = [.default: 2, "desk": 1]
        // Only a wake-up brings the letter in time; a pooler hides those.
        guard !TestPostgres.isPooled else { return }
        $0.pollInterval = .seconds(60)
        $0.listeningPollInterval = .seconds(60)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a handler gets what was discarded, soon, with all of its payload`() async throws {
        let fixture = try await WorkerFixture("letters")
        let read = Read()
        let jobs = registry(read) { _ in throw NoMoney(description: "the bank said no") }
        let id = try await fixture.withWorker(jobs, change: desk) {
            try await fixture.eventually(
                "its address is known", "SELECT count(*) = 1 FROM tenure.dead_letter")
            let id = try await fixture.client.enqueue(Refund.one).id
            try await fixture.eventually(
                "the letter was handled", within: .seconds(30),
                "SELECT count(*) = 2 FROM tenure.job_history")
            return id
        }
        let found = try #require(await read.letters.first)
        let letter = found.letter
        #expect(found.refund == .one)
        #expect(letter.job == id && letter.kind == "refund" && letter.queue == .default)
        #expect(letter.attempt == 1 && letter.maxAttempts == 1 && letter.runs == 1)
        #expect(letter.error?.message.contains("the bank said no") ?? false)
        #expect(letter.reason == "attempts are spent" && !letter.isExpired)
        let times = [
            letter.createdAt, letter.claimedAt, letter.error?.failedAt, letter.discardedAt,
        ]
        #expect(times.allSatisfy { $0 != nil } && times.compactMap { $0 }.sorted() == times)
        let inspector = Inspector(pool: fixture.pool)
        let detail = try #require(try await inspector.job(id))
        let letterID = try #require(detail.letter)
        let told = try #require(try await inspector.job(letterID))
        #expect(told.summary.kind == "refund-failed" && told.summary.queue == "desk")
        #expect(told.summary.priority == 2 && told.summary.maxAttempts == 3)
        #expect(told.parent == id)
    }

    @Test func `what is secret in a payload is secret in its letter, and in what is said of it`()
        async throws
    {
        let fixture = try await WorkerFixture("secret letters")
        var jobs = JobRegistry()
        jobs.handle(Refund.self) { job, _ in .discard(reason: "no card \(job.card.number)") }
        jobs.handle(RefundFailed.self) { job, _ in
            throw NoMoney(description: "nobody for \(job.letter.payload ?? "")")
        }
        let id = try await fixture.withWorker(jobs, change: desk) {
            try await fixture.eventually(
                "its address is known", "SELECT count(*) = 1 FROM tenure.dead_letter")
            let id = try await fixture.client.enqueue(Refund.one).id
            try await fixture.eventually(
                "the letter was given up", within: .seconds(30),
                "SELECT count(*) = 2 FROM tenure.job_history")
            return id
        }
        let inspector = Inspector(pool: fixture.pool)
        let letter = try #require(try await inspector.job(id)?.letter)
        let told = try #require(try await inspector.job(letter))
        #expect(told.letter == nil)
        #expect(told.payload.contains("4000-1234") && !told.shownPayload.contains("4000-1234"))
        #expect(!told.errors.isEmpty)
        #expect(told.errors.allSatisfy { !$0.message.contains("4000-1234") })
        // Also where only the queue has an address, and no worker has said so of the letters.
        try await fixture.pool.simple("DELETE FROM tenure.secret_field WHERE kind <> 'refund'")
        let again = try #require(try await inspector.job(letter))
        #expect(!again.shownPayload.contains("4000-1234"))
    }

    @Test func `letters of letters are refused where a worker is made`() async throws {
        struct Chained: LetterJob {
            static let kind: JobKind = "chained"
            static let options = JobOptions<Self>(deadLetter: .to(kind: "further"))
            let letter: DeadLetter
        }
        struct First: Job {
            static let kind: JobKind = "first"
            static let options = JobOptions<Self>(deadLetter: .to(Chained.self))
        }
        let fixture = try await WorkerFixture("chained letters")
        var jobs = JobRegistry()
        jobs.handle(First.self) { _, _ in .completed }
        jobs.handle(Chained.self) { _, _ in .completed }
        let error = #expect(throws: TenureError.self) {
            try Worker(pool: fixture.pool, jobs: jobs, logger: fixture.logger)
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.hasPrefix("letters of kind first are of kind chained") ?? false)
    }

    @Test func `a letter is encoded as it was decoded`() throws {
        let text = """
            {"letter":{"job":"01990000-0000-7000-8000-000000000000","kind":"k","queue":"q",
            "payload":{"a":[1,null,0.1234567890123456789,"x",true],"b":123456789012345678901},
            "payloadVersion":1,"attempt":1,"maxAttempts":2,"runs":3,
            "createdAt":"2026-11-27T06:32:22.123456Z","discardedAt":"2026-11-27T06:32:23.000000Z",
            "error":{"attempt":1,"code":"c","message":"m"}}}
            """
        let first = try JSONDecoder().decode(RefundFailed.self, from: Data(text.utf8))
        #expect(
            first.letter.payload
                == #"{"a":[1,null,0.1234567890123456789,"x",true],"b":123456789012345678901}"#)
        let second = try JSONDecoder().decode(
            RefundFailed.self, from: JSONEncoder().encode(first))
        #expect(second.letter.payload == first.letter.payload)
        #expect(second.letter.error == first.letter.error && second.letter.job == first.letter.job)
        #expect(second.letter.claimedAt == nil && second.letter.reason == nil)
    }
}
