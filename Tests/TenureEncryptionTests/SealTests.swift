import Tenure
import TenureEncryption
import TenureFoundation
import TenureWorker
import Testing

/// What is stored of jobs whose content is encrypted, and who reads it.
@Suite struct SealTests {
    private let canary = SealFixture.canary

    private func noting(_ seen: Seen) -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(Note.self) { note, context in
            await seen.add(note.text)
            return try .completed(result: "\(note.text), seen")
        }
        return jobs
    }

    @Test func `what a job carries stands in no table, and who has the key reads it`()
        async throws
    {
        let fixture = try await SealFixture()
        let codec = try SealFixture.codec("k1")
        let client = fixture.client(codec)
        let seen = Seen()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { [canary] note, context in
            let step = try await context.step("make") { "\(canary) step" }
            let wait = try await context.step("write") { _ in "\(canary) written" }
            let signal = try await context.signal("go", as: String.self)
            await seen.add("\(note.text), \(step), \(wait), \(signal)")
            return try await context.commit(.completed(result: "\(canary) result"))
        }
        try await fixture.withWorker(jobs, codec) { [canary] in
            let job = try await client.enqueue(Note(text: canary)).id
            try await fixture.eventually("it waits", "SELECT state = 'waiting' FROM tenure.job")
            #expect(try await fixture.tablesInClear() == [])
            try await client.signal(job, "go", "\(canary) signal")
            let result = try await client.result(of: job, as: String.self)
            #expect(result == "\(canary) result")
            #expect(
                await seen.all == [
                    "\(canary), \(canary) step, \(canary) written, \(canary) signal"
                ])
            #expect(try await fixture.tablesInClear() == [])
            let plain = fixture.client(nil)
            let error = await #expect(throws: TenureError.self) {
                try await plain.result(of: job, as: String.self)
            }
            #expect(error?.code == .unknownKey)
            let detail = try #require(try await Inspector(pool: fixture.pool).job(job))
            #expect(detail.shownPayload == #""sealed with key k1""#)
            #expect(
                detail.steps.compactMap(\.result).allSatisfy {
                    $0.hasPrefix(#"{"tenure:sealed": "#)
                })
        }
    }

    @Test func `without a codec nothing is sealed`() async throws {
        let fixture = try await SealFixture()
        let seen = Seen()
        try await fixture.withWorker(noting(seen), nil) { [canary] in
            let client = fixture.client(nil)
            let job = try await client.enqueue(Note(text: canary)).id
            #expect(try await client.result(of: job, as: String.self) == "\(canary), seen")
        }
        #expect(try await fixture.tablesInClear() != [])
    }

    @Test func `keys change while jobs wait, and who looks sees how many need the old one`()
        async throws
    {
        let fixture = try await SealFixture()
        let old = try await fixture.client(SealFixture.codec("k1")).enqueue(Note(text: "old")).id
        let both = try SealFixture.codec("k2", "k1")
        let client = fixture.client(both)
        try await client.enqueue(Note(text: "new"))
        let inspector = Inspector(pool: fixture.pool)
        let before = try await inspector.sealedJobs()
        #expect(before.map(\.key) == ["k1", "k2"])
        #expect(before.map(\.unfinished) == [1, 1] && before.map(\.finished) == [0, 0])
        let seen = Seen()
        try await fixture.withWorker(noting(seen), both) {
            #expect(try await client.result(of: old, as: String.self) == "old, seen")
            try await fixture.eventually("both", "SELECT count(*) = 2 FROM tenure.job_history")
        }
        #expect(await seen.all.sorted() == ["new", "old"])
        let after = try await inspector.sealedJobs()
        #expect(after.map(\.unfinished) == [0, 0] && after.map(\.finished) == [1, 2])
    }

    @Test(arguments: [true, false])
    func `a job whose key is unknown is held, and run by a worker that has it`(
        hasCodec: Bool
    ) async throws {
        let fixture = try await SealFixture()
        let job = try await fixture.client(SealFixture.codec("k2")).enqueue(Note(text: "late")).id
        let seen = Seen()
        let first = hasCodec ? try SealFixture.codec("k1") : nil
        try await fixture.withWorker(noting(seen), first) {
            try await fixture.eventually(
                "it is held",
                """
                SELECT state = 'held' AND attempt = 0 AND hold_reason LIKE '%sealed with key k2%'
                FROM tenure.job
                """)
            // Many sweeps later nobody has tried again.
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await fixture.value("SELECT state = 'held' AND runs = 1 FROM tenure.job"))
            // The same release, with the key.
            let both = try SealFixture.codec("k1", "k2")
            try await fixture.withWorker(noting(seen), both) {
                let result = try await fixture.client(both).result(of: job, as: String.self)
                #expect(result == "late, seen")
            }
        }
        #expect(await seen.all == ["late"])
    }

    @Test func `a step whose key is unknown holds its job, too`() async throws {
        let fixture = try await SealFixture()
        var jobs = JobRegistry()
        jobs.handle(Note.self) { _, context in
            let step = try await context.step("one") { "kept" }
            return context.runs == 1
                ? .snooze(for: .seconds(600)) : try .completed(result: step)
        }
        let two = try SealFixture.codec("k2")
        let job = try await fixture.client(nil).enqueue(Note(text: "plain")).id
        try await fixture.withWorker(jobs, two) {
            try await fixture.eventually("it is put off", "SELECT refunds = 1 FROM tenure.job")
        }
        try await fixture.pool.simple(
            """
            UPDATE tenure.job_step SET result = jsonb_set(result, '{tenure:sealed,key}', '"k9"');
            UPDATE tenure.job SET run_at = now()
            """)
        try await fixture.withWorker(jobs, two) {
            try await fixture.eventually(
                "it is held",
                """
                SELECT state = 'held' AND attempt = 0
                       AND hold_reason LIKE 'step "one" of job % is sealed with key k9%'
                FROM tenure.job
                """)
        }
        try await fixture.pool.simple(
            """
            UPDATE tenure.job_step SET result = jsonb_set(result, '{tenure:sealed,key}', '"k2"')
            """)
        let both = try SealFixture.codec("k1", "k2")
        try await fixture.withWorker(jobs, both) {
            let result = try await fixture.client(both).result(of: job, as: String.self)
            #expect(result == "kept")
        }
    }

    @Test func `what isn't sealed is held where the codec reads nothing else`() async throws {
        let fixture = try await SealFixture()
        let seen = Seen()
        try await fixture.client(nil).enqueue(Note(text: "plain"))
        let strict = try SealFixture.codec("k1", readsPlain: false)
        try await fixture.withWorker(noting(seen), strict) {
            try await fixture.eventually("held", "SELECT state = 'held' FROM tenure.job")
            let lenient = try SealFixture.codec("k1")
            try await fixture.withWorker(noting(seen), lenient) {
                try await fixture.eventually("run", "SELECT count(*) = 1 FROM tenure.job_history")
            }
        }
        #expect(await seen.all == ["plain"])
    }

    @Test func `what would be too large when it is sealed is refused, and says so`() async throws {
        let fixture = try await SealFixture()
        let client = fixture.client(try SealFixture.codec("k1"))
        let large = Note(text: String(repeating: "x", count: 900_000))
        let error = await #expect(throws: TenureError.self) { try await client.enqueue(large) }
        #expect(error?.code == .invalidJob)
        #expect(error?.message.contains("when it is sealed, at most 1048576") == true)
        try await client.enqueue(Note(text: String(repeating: "x", count: 700_000)))
    }
}
