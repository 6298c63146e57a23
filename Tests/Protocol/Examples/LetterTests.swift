import Testing

/// Letters: what tells of discarded jobs, whoever discards.
@Suite struct LetterTests {
    /// The kind of the example's jobs has an address.
    private func address(_ example: Example, queue: String? = nil) async throws {
        let place = queue.map { ", '\($0)'" } ?? ""
        #expect(
            try await example.value(
                """
                SELECT tenure.set_letter(
                    'kind', '\(example.own)', 'l-\(example.own)'\(place))::text
                """) == "true")
    }

    /// `column` of the letters of a job.
    private func letters(
        of job: String, _ column: String, in example: Example
    ) async throws -> [String] {
        try await example.rows(
            """
            SELECT (\(column))::text FROM tenure.job l JOIN tenure.job_history h
              ON h.letter_id = l.id AND l.parent_id = h.id
            WHERE h.id = '\(job)' AND l.kind = 'l-\(example.own)'
            """)
    }

    @Test func `A field of a kind's letters that nobody reads is refused`() async throws {
        try await Example.run { example in
            func declare(_ letter: String) -> String {
                #"SELECT tenure.declare_letters('{"\#(example.own)": \#(letter)}')"#
            }
            let odd = try await example.refusal(declare(#"{"kind": "l", "prioritty": 3}"#))
            #expect(odd == "TN003")
            let sound = try await example.refusal(declare(#"{"kind": "l", "priority": 3}"#))
            #expect(sound == nil)
        }
    }

    enum Way: CaseIterable {
        case lastFailure, discard, snoozedTooLate, death, expiry, expiredBehindItsKey
        case operatorAlone, operatorInBulk, finish, chunk
    }

    private func discard(_ job: String, _ way: Way, in example: Example) async throws {
        let fence = "(SELECT fence FROM tenure.job_seen WHERE id = '\(job)')"
        switch way {
        case .lastFailure:
            let error = ", 'error_code', 'x', 'error_message', 'it broke'"
            #expect(try await example.end(job, "failed", more: error) == "discarded")
        case .discard:
            #expect(
                try await example.end(job, "discarded", more: ", 'reason', 'no use'")
                    == "discarded")
        case .snoozedTooLate:
            try await lapse(example)
            #expect(
                try await example.end(job, "snoozed", more: ", 'delay', '1 s'") == "discarded")
        case .death:
            try await example.perform(
                """
                UPDATE tenure.session SET ended_at = clock_timestamp(), died = true
                WHERE id = (SELECT session_id FROM tenure.job_seen WHERE id = '\(job)');
                SELECT tenure.reclaim_runs(10000)
                """)
        case .expiry:
            try await lapse(example)
            try await example.perform("SELECT tenure.expire_jobs(10000)")
        case .expiredBehindItsKey:
            try await lapse(example)
            try await example.enqueue(#""key": "a", "mode": "keeping""#)
        case .operatorAlone: try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
        case .operatorInBulk:
            try await example.perform("SELECT tenure.operate_jobs('discard', '{\(job)}', 'ada')")
        case .finish:
            try await example.perform(
                "SELECT tenure.finish('\(job)', \(fence), 'discarded', reason => 'no use')")
        case .chunk:
            try await example.perform(
                """
                SELECT tenure.finish_chunk(
                    '{\(job)}', ARRAY[\(fence)], '{discarded}', reasons => '{no use}')
                """)
        }
    }

    private func lapse(_ example: Example) async throws {
        try await example.perform(
            """
            UPDATE tenure.job SET not_after = clock_timestamp() - interval '1 ms'
            WHERE queue = '\(example.own)'
            """)
    }

    @Test(arguments: Way.allCases)
    func `Whoever discards writes the letter, and one alone`(_ way: Way) async throws {
        try await Example.run { example in
            try await address(example)
            let session = try await example.openSession()
            let runs = ![.expiry, .expiredBehindItsKey, .operatorAlone, .operatorInBulk]
                .contains(way)
            let job = try await example.enqueue(
                #""payload": {"card": 1.50, "none": null}, "max_attempts": 1, "trace": "t""#
                    + (way == .expiredBehindItsKey ? #", "key": "a""# : ""))[0].id
            if runs { #expect(try await example.claim(session) == [job]) }
            try await discard(job, way, in: example)
            #expect(try await example.past(job, "outcome") == "discarded")
            let found = try await letters(
                of: job, "l.queue || ' ' || l.state || ' ' || l.trace", in: example)
            #expect(found == ["\(example.own) available t"])
            let letter = "l.payload -> 'letter'"
            #expect(
                try await letters(
                    of: job, "\(letter) ->> 'job' || ' ' || (\(letter) ->> 'kind')", in: example)
                    == ["\(job) \(example.own)"])
            #expect(
                try await letters(of: job, "\(letter) -> 'payload'", in: example)
                    == [#"{"card": 1.50, "none": null}"#])
            #expect(
                try await letters(
                    of: job, "\(letter) ->> 'reason' IS NOT DISTINCT FROM h.reason", in: example)
                    == ["true"])
            let error = way == .lastFailure ? "it broke" : way == .death ? "session" : "NULL"
            #expect(
                try await letters(of: job, "\(letter) #>> '{error,message}'", in: example)[0]
                    .hasPrefix(error))
            #expect(
                try await letters(of: job, "\(letter) ? 'claimedAt'", in: example) == ["\(runs)"])
        }
    }

    @Test(arguments: ["completed", "cancelled", "superseded", "failed", "held"])
    func `What isn't discarded has no letter`(_ wanted: String) async throws {
        try await Example.run { example in
            try await address(example)
            let session = try await example.openSession()
            let job = try await example.enqueue(#""batch_id": null"#)[0].id
            try await example.claim(session)
            #expect(try await example.end(job, wanted) != "discarded")
            #expect(
                try await example.value(
                    "SELECT count(*)::text FROM tenure.job WHERE kind = 'l-\(example.own)'")
                    == "0")
        }
    }

    @Test func `Without an address nothing is written but the discard`() async throws {
        try await Example.run { example in
            let job = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            #expect(try await example.past(job, "letter_id") == "NULL")
        }
    }

    @Test func `A queue's address is for kinds that have none of their own`() async throws {
        try await Example.run { example in
            try await example.perform(
                "SELECT tenure.set_letter('queue', '\(example.own)', 'q-\(example.own)', 'desk')")
            let first = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(first)', 'ada')")
            let kinds = "SELECT l.kind || ' ' || l.queue FROM tenure.job l WHERE l.parent_id = "
            #expect(try await example.rows(kinds + "'\(first)'") == ["q-\(example.own) desk"])
            try await address(example, queue: "other")
            let second = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(second)', 'ada')")
            #expect(try await example.rows(kinds + "'\(second)'") == ["l-\(example.own) other"])
            // A letter is a job of that queue, too.
            let letter = try await example.past(second, "letter_id")
            try await example.perform(
                """
                UPDATE tenure.job SET queue = '\(example.own)' WHERE id = '\(letter)';
                SELECT tenure.discard_job('\(letter)', 'ada')
                """)
            #expect(try await example.past(letter, "outcome") == "discarded")
            #expect(try await example.past(letter, "letter_id") == "NULL")
        }
    }

    @Test func `A discarded job that is run again has a letter of each discard`() async throws {
        try await Example.run { example in
            try await address(example)
            let job = try await example.enqueue("")[0].id
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            let again = try await example.value(
                "SELECT r.id::text FROM tenure.retry_job('\(job)', tenure.new_id()) AS r")
            try await example.perform("SELECT tenure.discard_job('\(again)', 'ada')")
            #expect(try await letters(of: job, "true", in: example).count == 1)
            #expect(try await letters(of: again, "true", in: example).count == 1)
            // A letter is a job like any: it is run again, with what it says.
            let letter = try await example.past(job, "letter_id")
            try await example.perform("SELECT tenure.discard_job('\(letter)', 'ada')")
            let repeated = try await example.value(
                "SELECT r.id::text FROM tenure.retry_job('\(letter)', tenure.new_id()) AS r")
            #expect(try await example.job(repeated, "payload #>> '{letter,job}'") == job)
        }
    }

    @Test func `A letter of a batch's job doesn't keep the batch from ending`() async throws {
        try await Example.run { example in
            try await address(example)
            let batch = try await example.value("SELECT tenure.new_id()::text")
            try await example.perform("SELECT tenure.start_batch('\(batch)')")
            let job = try await example.enqueue(#""batch_id": "\#(batch)""#)[0].id
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            #expect(
                try await letters(of: job, "l.payload #>> '{letter,batch}'", in: example)
                    == [batch])
            #expect(
                try await example.value(
                    "SELECT s.ended::text FROM tenure.settle_batches('{\(batch)}') AS s")
                    == "true")
        }
    }

    @Test func `A letter that is refused costs neither the discard nor the other letters`()
        async throws
    {
        try await Example.run { example in
            try await address(example)
            let jobs = try await example.enqueue("", #""queue": "bad-\#(example.own)""#, "")
                .map(\.id)
            // As a hand has spoilt it: set_letter would refuse this.
            try await example.perform(
                """
                CREATE FUNCTION pg_temp.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF NEW.queue = 'bad-\(example.own)' AND NEW.parent_id IS NOT NULL THEN
                        RAISE EXCEPTION 'not here';
                    END IF;
                    RETURN NEW;
                END $$;
                CREATE TRIGGER refuse BEFORE INSERT ON tenure.job
                FOR EACH ROW EXECUTE FUNCTION pg_temp.refuse();
                UPDATE tenure.job SET not_after = clock_timestamp()
                WHERE kind = '\(example.own)';
                SELECT tenure.expire_jobs(10000)
                """)
            for job in jobs { #expect(try await example.past(job, "outcome") == "discarded") }
            #expect(try await letters(of: jobs[0], "true", in: example) == ["true"])
            #expect(try await letters(of: jobs[2], "true", in: example) == ["true"])
            #expect(try await letters(of: jobs[1], "true", in: example).isEmpty)
            #expect(
                try await example.past(jobs[1], "reason").hasSuffix(
                    "; its letter was refused: not here"))
        }
    }

    @Test func `A payload that is too large for a letter is left out, and the rest is told`()
        async throws
    {
        try await Example.run { example in
            try await address(example)
            let job = try await example.value(
                """
                SELECT e.job_id::text FROM tenure.enqueue(
                    '\(example.own)', jsonb_build_object('long', repeat('x', 1000000))) AS e
                """)
            try await example.perform("SELECT tenure.discard_job('\(job)', 'ada')")
            let letter = try await example.past(job, "letter_id")
            #expect(
                try await example.job(letter, "payload -> 'letter' ? 'payload'") == "false")
            #expect(
                try await example.job(letter, "payload #>> '{letter,reason}'")
                    == "discarded by ada")
        }
    }

    @Test func `Addresses that lead nowhere are refused`() async throws {
        try await Example.run { example in
            let own = example.own
            try await example.perform("SELECT tenure.set_letter('kind', '\(own)', 'l-\(own)')")
            for call in [
                "'kind', '\(own)', '\(own)'", "'kind', '\(own)', E'a\\u2028b'",
                "'kind', '\(own)', 'l', E'a\\u2028b'", "'batch', '\(own)', 'l'",
                "'kind', '', 'l'", "'kind', 'l-\(own)', 'further'", "'kind', 'x', '\(own)'",
            ] {
                #expect(
                    try await example.refusal("SELECT tenure.set_letter(\(call))") == "TN003",
                    "\(call)")
            }
        }
    }

    @Test func `What code says counts from the last worker on, and stands behind an operator`()
        async throws
    {
        try await Example.run { example in
            let own = example.own
            func open(_ letters: String) async throws -> String {
                try await example.perform(
                    """
                    SELECT tenure.open_session(
                        'worker', 'w', '1', '30 s', '{}', '{}', letters => '\(letters)')
                    """)
                return try await example.value(
                    """
                    SELECT concat_ws(' ', d.letter_kind, d.letter_queue, d.priority,
                                     d.max_attempts, d.payload_version, d.set_by)
                    FROM tenure.dead_letter d WHERE d.thing = 'kind' AND d.name = '\(own)'
                    """)
            }
            let all = #""queue": "q", "priority": 2, "max_attempts": 3, "payload_version": 4"#
            #expect(
                try await open(#"{"\#(own)": {"kind": "a-\#(own)", \#(all)}}"#)
                    == "a-\(own) q 2 3 4")
            #expect(
                try await open(#"{"\#(own)": {"kind": "b-\#(own)"}}"#) == "b-\(own) 5 25 1")
            // An older release knows nothing of it, and takes nothing away.
            #expect(try await open("{}") == "b-\(own) 5 25 1")
            try await example.perform(
                "SELECT tenure.set_letter('kind', '\(own)', 'c-\(own)', NULL, 'ada')")
            #expect(
                try await open(#"{"\#(own)": {"kind": "b-\#(own)"}}"#) == "c-\(own) 5 25 1 ada")
            let remove = "SELECT tenure.set_letter('kind', '\(own)', NULL)::text"
            #expect(try await example.value(remove) == "true")
            #expect(try await example.value(remove) == "false")
            #expect(
                try await open(#"{"\#(own)": {"kind": "b-\#(own)"}}"#) == "b-\(own) 5 25 1")
        }
    }
}
