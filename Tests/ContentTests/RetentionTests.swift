import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing

@testable import Content

/// What is forgotten, when it is old enough, and what never is.
@Suite struct RetentionTests {
    @Test func `checks that ended too long ago go with their visits, and no other does`()
        async throws
    {
        let fixture = try await ContentFixture("retention")
        try await add("old", ended: 100, visits: 2500, to: fixture)
        try await add("young", ended: 80, visits: 10, to: fixture)
        try await add("long ago, and never noted", began: 200, ended: nil, visits: 10, to: fixture)
        try await add("at work", began: 100, ended: nil, visits: 10, to: fixture)
        try await add("begun long ago, ended lately", began: 100, ended: 1, visits: 10, to: fixture)
        try await sweep(fixture)
        let left = try await fixture.pool.query(
            """
            SELECT r.start || ' ' || count(v.target)
            FROM content.site_check r LEFT JOIN content.check_target v ON v.check_id = r.id
            GROUP BY r.id ORDER BY r.start
            """
        ) { try $0.decode(0, as: String.self) }
        #expect(left == ["at work 10", "begun long ago, ended lately 10", "young 10"])
        let orphans = try await fixture.pool.query(
            """
            SELECT count(*) FROM content.check_target v
            WHERE NOT EXISTS (SELECT FROM content.site_check r WHERE r.id = v.check_id)
            """
        ) { try $0.decode(0, as: Int64.self) }
        #expect(orphans == [0])
    }

    @Test func `events and candidates go when they are too old`() async throws {
        let fixture = try await ContentFixture("events")
        try await fixture.pool.simple(
            """
            INSERT INTO content.target_event (target, at, before, after)
            SELECT gen_random_uuid(), now() - n * interval '1 day', 'ok', 'broken'
            FROM generate_series(1, 730) AS n, generate_series(1, 4);
            INSERT INTO content.candidate (item, fetch_id, found_at, words, reason, fields)
            SELECT gen_random_uuid(), gen_random_uuid(), now() - n * interval '1 day', 1, 'short',
                   '{}'
            FROM generate_series(1, 180) AS n
            """)
        try await sweep(fixture)
        let (events, candidates) = try await fixture.pool.query(
            """
            SELECT (SELECT count(*) FROM content.target_event),
                   (SELECT count(*) FROM content.candidate)
            """
        ) { (try $0.decode(0, as: Int64.self), try $0.decode(1, as: Int64.self)) }[0]
        // The last day of each is on either side of the line.
        #expect((364 * 4...365 * 4).contains(Int(events)))
        #expect((89...90).contains(candidates))
    }

    @Test func `what can't be forgotten of one kind keeps no other`() async throws {
        let fixture = try await ContentFixture("stubborn")
        try await add("old", ended: 100, visits: 3, to: fixture)
        try await fixture.pool.simple(
            """
            CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE 'not this one'; END $$;
            CREATE TRIGGER refuse BEFORE DELETE ON content.check_target
                FOR EACH ROW EXECUTE FUNCTION public.refuse();
            INSERT INTO content.target_event (target, at, before, after)
            VALUES (gen_random_uuid(), now() - interval '400 days', 'ok', 'broken')
            """)
        try await fixture.withWorkers {
            var options = EnqueueOptions()
            options.maxAttempts = 1
            let job = try await fixture.client.enqueue(ContentSweep(), options: options).id
            try await ended(job, as: "discarded", fixture)
        }
        let left = try await fixture.pool.query("SELECT count(*) FROM content.target_event") {
            try $0.decode(0, as: Int64.self)
        }
        #expect(left == [0])
    }

    @Test func `nobody forgets what somebody may still be at work with`() async throws {
        let fixture = try await ContentFixture("too young")
        for what in ForgetOld.What.allCases {
            let error = await #expect(throws: PostgresError.self) {
                _ = try await fixture.pool.execute(ForgetOld(what: what, kept: .seconds(3599)))
            }
            #expect(error?.sqlState == "TN003")
        }
    }

    private func sweep(_ fixture: ContentFixture) async throws {
        try await fixture.withWorkers {
            let job = try await fixture.client.enqueue(ContentSweep()).id
            try await ended(job, as: "completed", fixture)
        }
    }

    private func ended(_ job: JobID, as outcome: String, _ fixture: ContentFixture) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let found = try await fixture.pool.query(
                "SELECT outcome::text FROM tenure.job_history WHERE id = $1", [job.uuid]
            ) { try $0.decode(0, as: String.self) }
            if let found = found.first { return #expect(found == outcome) }
            try await Task.sleep(for: .milliseconds(20))
        }
        Issue.record("the sweep did not end")
    }

    /// - Parameters:
    ///   - began: days ago.
    ///   - ended: days ago; nil where nobody noted it.
    private func add(
        _ start: String, began: Int? = nil, ended: Int?, visits: Int, to fixture: ContentFixture
    ) async throws {
        let id = UUID()
        try await fixture.pool.query(
            """
            INSERT INTO content.site_check (id, kind, start, options, started_at, finished_at)
            VALUES ($1, 'site', $2, '{}', now() - $3 * interval '1 day',
                    now() - $4 * interval '1 day')
            """, [id, start, Int32(began ?? ended ?? 0), ended.map { Int32($0) }])
        try await fixture.pool.query(
            """
            INSERT INTO content.check_target (check_id, target, depth, hops, follows, mode)
            SELECT $1, gen_random_uuid(), 0, 0, true, 'page' FROM generate_series(1, $2)
            """, [id, Int32(visits)])
    }
}
