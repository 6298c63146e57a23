import Tenure
import TenureEncryption
import TenureFoundation
import TenureTestKit
import TenureWorker
import Testing

/// The ways in which sealed content comes to a job and goes from it.
@Suite struct SealWaysTests {
    @Test func `transactions, batches, their ends and other drivers seal as a client does`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let canary = SealFixture.canary
        let seen = Seen()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            await seen.add(note.text)
            if let ended = try await context.endedBatch() {
                let results = try await ended.results(as: String.self).map(\.value)
                await seen.add("results \(results.joined(separator: "+"))")
                return .completed
            }
            guard note.text == "\(canary) member" else { return .completed }
            return try await context.commit(.completed(result: "\(canary) result")) { transaction in
                try context.client.enqueue(Note(text: "\(canary) follow-up"), in: transaction)
            }
        }
        try await fixture.withWorker(jobs, codec) {
            let batch = NewBatch(
                [try NewJob(Note(text: "\(canary) member"))],
                whenEnded: try NewJob(Note(text: "\(canary) end"), .coalescing("end")))
            try await client.start(batch)
            try await fixture.eventually("all", "SELECT count(*) = 3 FROM tenure.job_history")
            #expect(try await fixture.tablesInClear() == [])
            let results = try await Inspector(pool: fixture.pool, codec: codec)
                .results(ofBatch: batch.id, as: String.self)
            #expect(results.map(\.value) == ["\(canary) result"])
        }
        #expect(
            await seen.all.sorted()
                == [
                    "\(canary) end", "\(canary) follow-up", "\(canary) member",
                    "results \(canary) result",
                ].sorted())
    }

    @Test func `results of jobs that came before, signals to a key, and another lane's payload`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let canary = SealFixture.canary
        let seen = Seen()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            switch note.text {
            case "first": return try .completed(result: "\(canary) first")
            case "second":
                let results = try await context.results(as: String.self).values
                let ends = try await context.predecessors().compactMap(\.result)
                if context.runs == 1 { await seen.add("\(results.sorted()) \(ends)") }
                let go = try await context.signal("go", as: String.self)
                await seen.add(go)
                return try await context.goOn(
                    in: Lane("l", maxRunning: 1), as: Note(text: "\(canary) moved", key: "k"))
            default:
                await seen.add(note.text)
                return .completed
            }
        }
        try await fixture.withWorker(jobs, codec) {
            let first = try await client.enqueue(Note(text: "first")).id
            var options = EnqueueOptions()
            options.after = [.completed(first)]
            let second = try await client.enqueue(
                Note(text: "second", key: "k"), options: options
            ).id
            try await fixture.eventually(
                "it waits",
                "SELECT EXISTS (SELECT FROM tenure.job WHERE state = 'waiting' AND runs > 0)")
            try await client.signal(Note.self, key: "k", "go", "\(canary) go")
            _ = try await client.end(of: second)
        }
        #expect(try await fixture.tablesInClear() == [])
        #expect(
            await seen.all == [
                #"["\#(canary) first"] ["\"\#(canary) first\""]"#, "\(canary) go",
                "\(canary) moved",
            ])
    }

    @Test func `a letter has the payload as it was sealed, also that of a repeated job`()
        async throws
    {
        struct Lost: LetterJob {
            static let kind: JobKind = "lost"
            static let options = JobOptions<Self>(retry: .constant(maxAttempts: 1, .zero))
            let letter: DeadLetter
        }
        struct Frail: Job {
            static let kind: JobKind = "frail"
            static let options = JobOptions<Self>(deadLetter: .to(Lost.self))
            let text: String
        }
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let seen = Seen()
        var jobs = JobRegistry()
        jobs.handle(Frail.self) { _, _ in .discard(reason: "no use") }
        jobs.handle(Lost.self) { lost, context in
            #expect(throws: TenureError.self) { try lost.letter.payload(as: Frail.self) }
            await seen.add(try await context.payload(of: lost.letter, as: Frail.self).text)
            return .completed
        }
        try await fixture.withWorker(jobs, codec) {
            let first = try await client.enqueue(Frail(text: SealFixture.canary)).id
            _ = try await client.end(of: first)
            let again = try await Operator(client: client, as: "test").retry(first)
            _ = try await client.end(of: try #require(again).id)
            try await fixture.eventually("both", "SELECT count(*) = 4 FROM tenure.job_history")
            #expect(try await fixture.tablesInClear() == [])
        }
        #expect(await seen.all == [SealFixture.canary, SealFixture.canary])
    }

    @Test func `an edit is sealed by who has the codec, and refused from who has not`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(600))
        let job = try await client.enqueue(Note(text: "old"), options: later).id
        let edit = try JobEdit(runTime: .now, payload: #"{"text":"new"}"#)
        let plain = Operator(client: fixture.client(nil), as: "test")
        let error = await #expect(throws: TenureError.self) { try await plain.edit(job, edit) }
        #expect(error?.message.contains("is sealed, and the new one would not be") == true)
        #expect(try await Operator(client: client, as: "test").edit(job, edit) == .edited)
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, _ in try .completed(result: note.text) }
        try await fixture.withWorker(jobs, codec) {
            let result = try await client.result(of: job, as: String.self)
            #expect(result == "new")
        }
    }

    @Test func `the test kit seals and reads as programs do`() async throws {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1", readsPlain: false)
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, _ in try .completed(result: note.text) }
        let alone = try await TestRun(Note(text: "a"), codec: codec).run(with: jobs)
        #expect(try alone.decoded(as: String.self) == "a")
        let run = try await TestRun(Note(text: "b"), on: fixture.pool, codec: codec)
            .run(with: jobs)
        #expect(try run.decoded(as: String.self) == "b")
        let queue = TestQueue(pool: fixture.pool, jobs: jobs, codec: codec)
        try await queue.client.enqueue(Note(text: "c"))
        #expect(try await queue.enqueued(Note.self).map(\.job.text) == ["c"])
        #expect(try await queue.drain().first?.decoded(as: String.self) == "c")
    }
}
