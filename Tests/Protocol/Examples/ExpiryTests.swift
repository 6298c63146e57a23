import TenurePostgres
import Testing

/// What `not_after` does: nothing begins then or later, and what has not begun is over.
@Suite struct ExpiryTests {
    private static let soon = #""expires_in": "1 h""#

    /// Sweeps; returns how many expired.
    private func expire(_ example: Example) async throws -> String {
        try await example.value("SELECT count(*)::text FROM tenure.expire_jobs(100)")
    }

    /// The time comes for all that expire.
    private func lapse(_ example: Example) async throws {
        try await example.perform(
            """
            UPDATE tenure.job SET not_after = clock_timestamp() - interval '1 ms'
            WHERE not_after IS NOT NULL AND queue = '\(example.own)'
            """)
    }

    private func due(_ example: Example) async throws -> String {
        try await example.value(
            "SELECT (due_in IS NOT NULL)::text FROM tenure.next_due('\(example.own)', "
                + "'{\(example.own)}')")
    }

    @Test func `An expired job is not claimed, nor waited for, and ends discarded`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(Self.soon)[0].id
            #expect(try await due(example) == "true")
            try await lapse(example)
            #expect(try await example.claim(session).isEmpty)
            #expect(try await due(example) == "false")
            #expect(try await expire(example) == "1")
            #expect(try await example.past(job, "outcome || ' ' || attempt") == "discarded 0")
            #expect(
                try await example.past(job, "reason").hasPrefix("expired: no run was to start"))
        }
    }

    @Test func `Before its time a job is claimed, and a run that has begun goes on`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(Self.soon)[0].id
            #expect(try await example.claim(session) == [job])
            try await lapse(example)
            #expect(try await expire(example) == "0")
            #expect(try await example.end(job, "completed") == "completed")
        }
    }

    @Test(arguments: ["failed", "snoozed", "handed_back", "reclaimed", "held"])
    func `A run that would go back too late is the last, and keeps its error`(
        _ wanted: String
    ) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(#""expires_in": "1 h""#)[0].id
            try await example.claim(session)
            let error = ", 'error_code', 'x', 'error_message', 'it broke', 'reason', 'why'"
            let early = try await example.end(job, wanted, more: "\(error), 'delay', '59 min'")
            #expect(early != "discarded")
            try await example.perform(
                """
                UPDATE tenure.job SET run_at = clock_timestamp(), state = 'available'
                WHERE id = '\(job)'
                """)
            try await example.claim(session)
            if wanted == "held" {
                try await example.perform(
                    "UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = '\(job)'")
            }
            let late = try await example.end(job, wanted, more: "\(error), 'delay', '61 min'")
            #expect(late == "discarded")
            #expect(try await example.past(job, "reason").hasPrefix("expired: "))
            let errors = "SELECT count(*)::text FROM tenure.attempt_error WHERE job_id = '\(job)'"
            let isFailure = wanted == "failed" || wanted == "reclaimed"
            #expect(try await example.value(errors) == (isFailure ? "2" : "0"))
        }
    }

    @Test func `A keeping enqueue is not answered with a job that will not run`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let mode = #""key": "a", "mode": "keeping""#
            let old = try await example.enqueue("\(mode), \(Self.soon)")[0]
            #expect(try await example.enqueue(mode)[0].id == old.id)
            try await lapse(example)
            let new = try await example.enqueue(mode)[0]
            #expect(new.result == "enqueued" && new.id != old.id)
            // The key has one pending job: the sweep finds nothing left to do.
            #expect(try await example.past(old.id, "outcome::text") == "discarded")
            #expect(try await example.past(old.id, "reason").hasPrefix("expired: "))
            #expect(try await expire(example) == "0")
            #expect(try await example.claim(session) == [new.id])
            // One that runs stands for its key, however late it is.
            try await example.perform(
                "UPDATE tenure.job SET not_after = clock_timestamp() WHERE id = '\(new.id)'")
            #expect(try await example.enqueue(mode)[0].result == "kept")
        }
    }

    private static let merging = [
        #""mode": "coalescing""#, #""mode": "debounced", "after": "0 s", "max_wait": "1 h""#,
    ]

    @Test(arguments: merging)
    func `A pending job takes over the expiry of the newest, unless it is over`(
        _ mode: String
    ) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let keyed = #""key": "a", \#(mode)"#
            let job = try await example.enqueue("\(keyed), \(Self.soon)")[0].id
            #expect(try await example.enqueue(keyed)[0].result == "updated")
            #expect(try await example.job(job, "not_after IS NULL") == "true")
            try await example.enqueue("\(keyed), \(Self.soon)")
            try await lapse(example)
            // Swept or not, it is over: a new one is had.
            let new = try await example.enqueue(keyed)[0]
            #expect(new.result == "enqueued" && new.id != job)
            #expect(try await example.past(job, "reason").hasPrefix("expired: "))
            #expect(try await expire(example) == "0")
            #expect(try await example.claim(session) == [new.id])
        }
    }

    @Test(arguments: merging, [false, true])
    func `A key's retried job and its expired successor don't both take the next content`(
        _ mode: String, isSetBack: Bool
    ) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let keyed = #""key": "a", \#(mode)"#
            let first = try await example.enqueue(keyed)[0].id
            try await example.claim(session)
            let second = try await example.enqueue("\(keyed), \(Self.soon)")[0].id
            try await lapse(example)
            try await example.end(first, "failed")
            if isSetBack {
                // As after a clock that was set back: it may begin after all.
                try await example.perform(
                    "UPDATE tenure.job SET not_after = not_after + interval '1 h'")
            }
            let third = try await example.enqueue(keyed)
            #expect(third.map(\.id) == [isSetBack ? second : first])
            #expect(third[0].result == "updated")
            let other = isSetBack ? first : second
            #expect(
                try await example.past(other, "outcome || ' ' || coalesce(superseded_by::text, '')")
                    == (isSetBack ? "superseded \(second)" : "discarded "))
            #expect(try await example.claim(session) == [third[0].id])
        }
    }

    @Test func `A successor that expires while it waits is over, and its key goes on`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            try await example.claim(session)
            let keyed = #""key": "a", "mode": "coalescing""#
            let second = try await example.enqueue("\(keyed), \(Self.soon)")[0].id
            #expect(try await example.job(second, "state") == "waiting")
            try await lapse(example)
            // It stands for nobody: the running one is tried again, swept or not.
            #expect(try await example.end(first, "failed") == "retryable")
            #expect(try await expire(example) == "1")
            #expect(try await example.past(second, "outcome") == "discarded")
            #expect(try await example.claim(session) == [first])
        }
    }

    @Test func `A superseding job that expired has raised its floor all the same`() async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let first = try await example.enqueue(#""key": "a""#)[0].id
            try await example.claim(session)
            try await example.enqueue(#""key": "a", "overlap": false, \#(Self.soon)"#)
            try await lapse(example)
            #expect(try await expire(example) == "1")
            #expect(try await example.end(first, "completed") == "superseded")
        }
    }

    @Test func `An expired head does not block its lane, and a lane of such jobs rests`()
        async throws
    {
        try await Example.run { example in
            let session = try await example.openSession()
            let lane = #""lane": "a""#
            try await example.enqueue("\(lane), \(Self.soon)", "\(lane), \(Self.soon)")
            let last = try await example.enqueue(lane)[0].id
            try await lapse(example)
            #expect(try await example.claim(session) == [last])
            try await example.end(last, "completed")
            #expect(try await example.claim(session).isEmpty)
            let turn = """
                SELECT turn_at::text FROM tenure.lane_holders
                WHERE queue = '\(example.own)' ORDER BY n DESC LIMIT 1
                """
            #expect(try await example.value(turn) == "infinity")
            #expect(try await expire(example) == "2")
            let next = try await example.enqueue(lane)[0].id
            #expect(try await example.claim(session) == [next])
        }
    }

    @Test(arguments: [
        "SELECT r.result FROM tenure.retry_job('JOB', tenure.new_id()) AS r",
        "SELECT o.became FROM tenure.operate_jobs('retry', '{JOB}', 'ada') AS o",
    ])
    func `A job that an operator retries runs, expired or not`(_ retry: String) async throws {
        try await Example.run { example in
            let session = try await example.openSession()
            let job = try await example.enqueue(Self.soon)[0].id
            try await lapse(example)
            let answer = try await example.value(retry.replacing("JOB", with: job))
            #expect(answer == "updated" || answer == "retried")
            #expect(try await expire(example) == "0")
            #expect(try await example.claim(session) == [job])
        }
    }

    @Test func `A job that could never begin is refused`() async throws {
        try await Example.run { example in
            let debounced = "'d', key => 'a', mode => 'debounced'"
            let late = "after => '30 s', expires_in => '10 s'"
            // A date that has passed is no mistake: the producer was late, and will be told.
            let passed = "not_after => clock_timestamp() - interval '1 s'"
            for (job, isRefused) in [
                ("\(debounced), \(late)", true),
                ("\(debounced), \(late), max_wait => '5 s'", false),
                ("'d', \(late)", true), ("'d', \(passed)", false),
            ] {
                let refusal = try await example.refusal("SELECT tenure.enqueue(\(job))")
                #expect(refusal == (isRefused ? "TN003" : nil), "\(job)")
            }
        }
    }

    @Test func `Held jobs expire and say what held them`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue(Self.soon)[0].id
            try await example.perform(
                """
                UPDATE tenure.job SET state = 'held', hold_reason = 'no such field'
                WHERE id = '\(job)'
                """)
            try await lapse(example)
            #expect(try await expire(example) == "1")
            #expect(try await example.past(job, "reason").hasSuffix("; no such field"))
        }
    }

    @Test func `A run of expired jobs ends`() async throws {
        try await Example.run { example in
            let run = try await example.value("SELECT tenure.new_id()::text")
            try await example.perform(
                "INSERT INTO tenure.batch (id, is_whole) VALUES ('\(run)', true)")
            try await example.enqueue(#""batch_id": "\#(run)", \#(Self.soon)"#)
            try await lapse(example)
            let settle = "SELECT count(*)::text FROM tenure.settle_batches('{\(run)}')"
            #expect(try await example.value(settle) == "0")
            #expect(
                try await example.value("SELECT batch_id::text FROM tenure.expire_jobs(9)") == run)
            #expect(try await example.value(settle) == "1")
        }
    }

    @Test func `The sweep waits for nobody, and what is locked takes no place in it`()
        async throws
    {
        let database = try await ExampleDatabase()
        let connections = [try await database.connect(), try await database.connect()]
        defer { for connection in connections { connection.close() } }
        let first = Example(connection: connections[0], own: "x")
        let second = Example(connection: connections[1], own: "x")
        try await second.perform("SET statement_timeout = '10s'")
        try await first.enqueue(#""key": "a", \#(Self.soon)"#, Self.soon)
        let last = try await first.enqueue(Self.soon)[0].id
        try await lapse(first)
        try await first.perform(
            """
            BEGIN;
            SELECT FROM tenure.subject_lock FOR NO KEY UPDATE;
            SELECT FROM tenure.job WHERE key IS NULL AND id <> '\(last)' FOR UPDATE
            """)
        let one = "SELECT id::text FROM tenure.expire_jobs(1)"
        #expect(try await second.value(one) == last)
        #expect(try await second.value(one) == "no row")
        try await first.perform("COMMIT")
        #expect(try await expire(second) == "2")
    }
}
