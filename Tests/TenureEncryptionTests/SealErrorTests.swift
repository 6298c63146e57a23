import Tenure
import TenureEncryption
import TenureWorker
import Testing

/// What is said of content that is sealed, where somebody can't do with it what was wanted.
@Suite struct SealErrorTests {
    private enum Plan: String, Codable, Sendable { case small }
    /// An older form of `Note`, which its text breaks.
    private struct Planned: Job {
        static let kind: JobKind = "note"
        static let options = JobOptions<Self>()
        let text: Plan
    }
    private struct Told: LetterJob {
        static let kind: JobKind = "told"
        static let options = JobOptions<Self>(retry: .constant(maxAttempts: 1, .zero))
        let letter: DeadLetter
    }
    private struct Charge: Job {
        static let kind: JobKind = "charge"
        static let options = JobOptions<Self>(deadLetter: .to(Told.self), secretFields: ["card"])
        let card: String
    }
    private struct Refused: Error, CustomStringConvertible { let description: String }

    @Test func `what doesn't decode is held without a word of what it is`() async throws {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        try await fixture.client(codec).enqueue(Note(text: SealFixture.canary))
        var jobs = JobRegistry()
        jobs.handle(Planned.self) { _, _ in .completed }
        try await fixture.withWorker(jobs, codec) {
            try await fixture.eventually(
                "it is held",
                """
                SELECT state = 'held' AND hold_reason LIKE '%a field has a value that its type%'
                FROM tenure.job
                """)
        }
        #expect(try await fixture.tablesInClear() == [])
    }

    @Test func `a step of another type fails its attempt without a word of what it is`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        try await fixture.client(codec).enqueue(Note(text: "a"))
        var jobs = JobRegistry()
        jobs.handle(Note.self) { _, context in
            if context.runs == 1 {
                _ = try await context.step("one") { [SealFixture.canary: SealFixture.canary] }
                return .snooze(for: .zero)
            }
            _ = try await context.step("one") { [String: Plan]() }
            return .completed
        }
        try await fixture.withWorker(jobs, codec) {
            try await fixture.eventually(
                "it fails", "SELECT count(*) > 0 FROM tenure.attempt_error")
        }
        #expect(try await fixture.tablesInClear() == [])
    }

    @Test func `what is secret in a sealed payload is masked in what its letter's run says`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        var jobs = JobRegistry()
        jobs.handle(Charge.self) { _, _ in .discard(reason: "no use") }
        jobs.handle(Told.self) { told, context in
            let charge = try await context.payload(of: told.letter, as: Charge.self)
            throw Refused(description: "can't refund \(charge.card)")
        }
        try await fixture.client(codec).enqueue(Charge(card: SealFixture.canary))
        try await fixture.withWorker(jobs, codec) {
            try await fixture.eventually(
                "it fails",
                """
                SELECT count(*) > 0 FROM tenure.attempt_error WHERE message LIKE '%can''t refund …'
                """)
        }
        #expect(try await fixture.tablesInClear() == [])
    }

    @Test func `who counts a key's jobs counts what is read later, too`() async throws {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, _ in try .completed(result: note.text) }
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(600))
        // It goes on, and what its end enqueues is in no job's row.
        let batch = NewBatch(
            [try NewJob(Note(text: "a")), try NewJob(Charge(card: "b"), options: later)],
            whenEnded: try NewJob(Note(text: "c")))
        try await client.start(batch)
        let first = try #require(try await client.enqueue([try NewJob(Note(text: "d"))]).first?.id)
        try await fixture.withWorker(jobs, codec) {
            try await fixture.eventually("both", "SELECT count(*) = 2 FROM tenure.job_history")
        }
        // It waits for what has ended, and for its own time.
        var waiting = later
        waiting.after = [.completed(first)]
        try await fixture.client(SealFixture.codec("k2")).enqueue(
            [try NewJob(Note(text: "e"), options: waiting)])
        let counts = try await Inspector(pool: fixture.pool).sealedJobs()
        let notes = counts.first { $0.key == "k1" && $0.kind == Note.kind }
        // The follow-up, the result of the batch's job, and the one that somebody waits for.
        #expect(notes?.unfinished == 3)
        #expect(counts.first { $0.key == "k2" }?.unfinished == 1)
    }
}
