import Tenure
import TenureEncryption
import TenureFoundation
import TenureWorker
import Testing

/// Sealed content belongs to one job, or to one key, and to one place there.
@Suite struct SealBindingTests {
    private func noting(_ seen: Seen) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            await seen.add(note.text)
            return try .completed(result: note)
        }
        return jobs
    }

    /// Runs what is there, and returns how each attempt failed.
    private func failures(_ fixture: SealFixture, _ seen: Seen = Seen()) async throws -> [String] {
        try await fixture.withWorker(noting(seen), SealFixture.codec("k1")) {
            try await fixture.eventually(
                "it failed or ended",
                "SELECT count(*) > 0 FROM tenure.attempt_error")
        }
        #expect(await seen.all == [])
        return try await fixture.pool.query("SELECT message FROM tenure.attempt_error") {
            try $0.decode(0, as: String.self)
        }
    }

    @Test func `a box that was changed fails its attempt, in one line without its content`()
        async throws
    {
        let fixture = try await SealFixture()
        let job = try await fixture.client(SealFixture.codec("k1")).enqueue(Note(text: "a")).id
        try await fixture.pool.simple(
            """
            UPDATE tenure.job SET payload = jsonb_set(payload, '{tenure:sealed,box}', to_jsonb(
                regexp_replace(payload #>> '{tenure:sealed,box}', '^.', CASE
                    WHEN payload #>> '{tenure:sealed,box}' LIKE 'A%' THEN 'B' ELSE 'A' END)))
            """)
        let errors = try await failures(fixture)
        #expect(
            errors.first
                == "the payload of job \(job), sealed with key k1, can't be opened: it was "
                + "changed, belongs elsewhere, or the key of that name is another")
    }

    @Test(arguments: ["sealed", "[1]", "{}", #"{"key": "no key", "box": ""}"#])
    func `a box in a form that nobody writes fails its attempt`(content: String) async throws {
        let fixture = try await SealFixture()
        let payload = #"{"tenure:sealed": \#(content == "sealed" ? #""sealed""# : content)}"#
        try await fixture.pool.simple("SELECT tenure.enqueue('note', '\(payload)')")
        // Who hands on what is stored is told of it.
        let error = #expect(throws: TenureError.self) {
            try NewJob(kind: Note.kind, payload: payload)
        }
        #expect(error?.message.contains("enqueue what it opens to") == true)
        let errors = try await failures(fixture)
        #expect(errors.first?.hasSuffix("is sealed in a form that nobody writes") == true)
    }

    @Test func `a payload that was moved to another job is refused, also under that one's name`()
        async throws
    {
        let fixture = try await SealFixture()
        let client = fixture.client(try SealFixture.codec("k1"))
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(600))
        let from = try await client.enqueue(Note(text: "theirs"), options: later).id
        let to = try await client.enqueue(Note(text: "mine")).id
        try await fixture.pool.simple(
            """
            UPDATE tenure.job SET payload = (SELECT payload FROM tenure.job WHERE id = '\(from)')
            WHERE id = '\(to)'
            """)
        let errors = try await failures(fixture)
        #expect(errors.first?.hasSuffix("it was sealed for job \(from)") == true)
        try await fixture.pool.simple(
            """
            DELETE FROM tenure.attempt_error;
            UPDATE tenure.job SET run_at = now(), payload = jsonb_set(
                payload, '{tenure:sealed,job}', to_jsonb('\(to)'::text)) WHERE id = '\(to)'
            """)
        #expect(try await failures(fixture).first?.contains("belongs elsewhere") == true)
    }

    @Test func `a payload under another kind, and a result in a payload's place, are refused`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let kind = try NewJob(kind: "other", payload: #"{"text":"x"}"#)
        try await client.enqueue([kind])
        try await fixture.pool.simple("UPDATE tenure.job SET kind = 'note'")
        #expect(try await failures(fixture).first?.contains("belongs elsewhere") == true)
        try await fixture.pool.simple("DELETE FROM tenure.job; DELETE FROM tenure.attempt_error")
        let seen = Seen()
        let job = try await client.enqueue(Note(text: "once")).id
        try await fixture.withWorker(noting(seen), codec) {
            _ = try await client.end(of: job)
        }
        // Its own result, which reads like its payload, as the payload of a job of its id.
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.job (id, kind, queue, payload, run_at, state, max_attempts)
            SELECT id, kind, queue, result, now(), 'available', 2 FROM tenure.job_history
            """)
        #expect(try await failures(fixture).first?.contains("belongs elsewhere") == true)
    }

    @Test func `coalescing and debounced payloads belong to their key, and to no other`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let first = try await client.enqueue(Note(text: "a1"), .coalescing("a"))
        let newer = try await client.enqueue(Note(text: "a2"), .coalescing("a"))
        #expect(newer.id == first.id && newer.result == .updated)
        let mode = KeyMode.debounced("b", interval: .milliseconds(10))
        try await client.enqueue(Note(text: "b1"), .keeping("b"))
        #expect(try await client.enqueue(Note(text: "b2"), mode).result == .updated)
        // In one call, where the first has the content of the last.
        let folded = try await client.enqueue([
            try NewJob(Note(text: "c1"), .superseding("c")),
            try NewJob(Note(text: "c2"), .coalescing("c")),
            try NewJob(Note(text: "c3"), .keeping("c")),
        ])
        #expect(Set(folded.map(\.id)).count == 1)
        let seen = Seen()
        try await fixture.withWorker(noting(seen), codec) {
            try await fixture.eventually("all", "SELECT count(*) = 3 FROM tenure.job_history")
        }
        #expect(await seen.all.sorted() == ["a2", "b2", "c2"])
        var later = EnqueueOptions()
        later.runTime = .after(.seconds(600))
        try await client.enqueue(Note(text: "d"), .coalescing("d"), options: later)
        try await client.enqueue(Note(text: "e"), .coalescing("e"))
        try await fixture.pool.simple(
            """
            UPDATE tenure.job SET payload = (SELECT payload FROM tenure.job WHERE key = 'd')
            WHERE key = 'e'
            """)
        #expect(try await failures(fixture).first?.contains("belongs elsewhere") == true)
    }

    @Test func `a job that is run again reads what was sealed for the one that it repeats`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let seen = Seen()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            let step = try await context.step("once") { "\(context.jobID)" }
            await seen.add("\(note.text) \(step)")
            return .discard(reason: "again")
        }
        let first = try await client.enqueue(Note(text: "n")).id
        try await fixture.withWorker(jobs, codec) {
            var last = first
            for number in 1...3 {
                _ = try await client.end(of: last)
                #expect(await seen.all == Array(repeating: "n \(first)", count: number))
                let again = try await Operator(client: client, as: "test").retry(last)
                last = try #require(again).id
            }
            _ = try await client.end(of: last)
            // What history has forgotten of the way there is taken at the row's word.
            try await fixture.pool.simple(
                "DELETE FROM tenure.job_history WHERE id <> '\(last)'")
            let again = try await Operator(client: client, as: "test").retry(last)
            _ = try await client.end(of: try #require(again).id)
        }
        #expect(await seen.all == Array(repeating: "n \(first)", count: 5))
    }
}
