import Foundation
import Tenure
import Testing

/// Verbs for many jobs at a time.
@Suite struct BulkTests {
    private func fixture() async throws -> Fixture {
        let fixture = try await Fixture()
        try await fixture.pool.simple(
            """
            SELECT tenure.enqueue_jobs((SELECT jsonb_agg(jsonb_build_object(
                'kind', CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END,
                'queue', CASE WHEN n <= 300 THEN 'mail' ELSE 'small' END,
                'key', 'k' || n)) FROM generate_series(1, 420) AS n));
            INSERT INTO tenure.attempt_error (job_id, fence, attempt, code, message)
            SELECT id, 1, 1, 'failed', 'No Route_to host' FROM tenure.job
            WHERE key IN ('k1', 'k2', 'k3');
            """)
        return fixture
    }

    @Test func `filters need all, a dry run does nothing, and all does what it said`() async throws
    {
        let fixture = try await fixture()
        let tenure = fixture.tenure
        let refused = try await tenure.run("job", "cancel", "--queue", "mail")
        #expect(refused.code == 2)
        #expect(refused.errorLines.count == 1 && refused.errors.contains("--all"))
        let dry = try await tenure.run("job", "cancel", "--all", "--queue", "mail", "--dry-run")
        #expect(dry.code == 0)
        #expect(dry.output.contains("300 jobs match; nothing was done"))
        #expect(try await fixture.jobs() == 420)
        let counted = try await tenure.run(
            "job", "cancel", "--all", "--queue", "mail", "--kind", "odd", "--dry-run", "--json")
        #expect(try counted.object()["matched"] as? Int == 150)
        let done = try await tenure.run(
            "job", "cancel", "--all", "--queue", "mail", "--by", "ada", "--json")
        #expect(try done.object()["results"] as? [String: Int] == ["cancelled": 300])
        #expect(try await fixture.jobs() == 120)
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM tenure.job_history WHERE reason = 'ada'", as: Int64.self)
                == 300)
    }

    @Test func `what is to be forgotten is counted, and gone when somebody says yes`()
        async throws
    {
        let fixture = try await fixture()
        let tenure = fixture.tenure
        let key = ["job", "forget", "--all", "--key", "k1", "--by", "ada"]
        let asked = try await tenure.runAll(key)
        #expect(asked.code == 1)
        #expect(asked.output.contains("1 job matches; nothing was done, without --yes"))
        let dry = try await tenure.runAll(key + ["--dry-run"])
        #expect(dry.code == 0)
        #expect(dry.output.contains("1 job matches; nothing was done, because of --dry-run"))
        let refused = try await tenure.runAll(key + ["--yes"])
        #expect(refused.code == 1)
        #expect(
            refused.output == "nothing done to 1: not over yet; give --cancel to cancel what "
                + "is unfinished\n")
        #expect(try await fixture.jobs() == 420)
        let done = try await tenure.runAll(
            key + ["--cancel", "--yes", "--reason", "no. 12", "--json"])
        #expect(try done.object()["results"] as? [String: Int] == ["forgotten": 1])
        #expect(try await fixture.jobs() == 419)
        #expect(
            try await fixture.value(
                "SELECT (SELECT count(*) FROM tenure.job_history) + "
                    + "(SELECT count(*) FROM tenure.attempt_error)", as: Int64.self) == 2)
        #expect(
            try await fixture.value(
                "SELECT count(*) FROM tenure.action WHERE verb = 'forget' AND jobs = 1 "
                    + "AND about = '{}' AND reason = 'no. 12' AND whom = 'ada'", as: Int64.self)
                == 1)
        _ = try await tenure.run("job", "cancel", "--all", "--key", "k420")
        let small = ["job", "forget", "--all", "--queue", "small", "--yes"]
        let part = try await tenure.runAll(small)
        #expect(part.code == 1 && part.output.contains("nothing done to 119: not over yet"))
        #expect(part.output.contains("forgotten 1\n"))
        let all = try await tenure.runAll(small + ["--cancel"])
        #expect(all.code == 0 && all.output == "forgotten 119\n")
        #expect(try await fixture.jobs() == 299)
        let one = try await tenure.run("job", "forget", "01990000-0000-7000-8000-000000000000")
        #expect(one.code != 0)
    }

    /// The newest come first, a hundred at a time.
    @Test(arguments: [["forget", "--cancel", "--yes"], ["cancel"]])
    func `what was done is told though a later portion fails`(verb: [String]) async throws {
        let fixture = try await fixture()
        try await fixture.pool.simple(
            """
            CREATE FUNCTION tenure.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'not this one'; END $$;
            DO $do$ BEGIN EXECUTE format(
                'CREATE TRIGGER refuse BEFORE DELETE ON tenure.job FOR EACH ROW '
                'WHEN (OLD.id = %L) EXECUTE FUNCTION tenure.refuse()', (
                    SELECT j.id FROM tenure.job j WHERE j.kind = 'odd' ORDER BY j.id LIMIT 1));
            END $do$
            """)
        let failed = try await fixture.tenure.runAll(["job"] + verb + ["--all", "--kind", "odd"])
        #expect(failed.code != 0 && failed.errors.contains("not this one"))
        #expect(failed.output.contains(" 200\n"))
        #expect(try await fixture.jobs() == 220)
    }

    @Test(arguments: ["cancel", "discard"])
    func `a verb for all jobs there are is refused, and names the filters`(
        verb: String
    ) async throws {
        let fixture = try await fixture()
        for more in [[], ["--dry-run"], ["--json"]] {
            let refused = try await fixture.tenure.runAll(["job", verb, "--all"] + more)
            #expect(refused.code == 2)
            #expect(refused.errorLines.count == 1 && refused.errors.contains("--older-than"))
        }
        #expect(try await fixture.jobs() == 420)
    }

    @Test func `a job is retried once, however often all are`() async throws {
        let fixture = try await fixture()
        let tenure = fixture.tenure
        _ = try await tenure.run("job", "discard", "--all", "--queue", "small")
        let retry = ["job", "retry", "--all", "--state", "discarded", "--json"]
        let first = try await tenure.runAll(retry)
        #expect(try first.object()["results"] as? [String: Int] == ["retried": 120])
        for _ in 0..<3 {
            let next = try await tenure.runAll(retry)
            #expect(try next.object()["matched"] as? Int == 0)
            #expect(try await fixture.jobs() == 420)
        }
        let dry = try await tenure.runAll(retry + ["--dry-run"])
        #expect(try dry.object()["matched"] as? Int == 0)
        let listed = try await tenure.run("job", "list", "--state", "discarded", "--json").array()
        #expect(listed.count == 50 && listed.allSatisfy { $0["retriedAs"] is String })
        #expect(try await tenure.run("job", "retry", "--all", "--again").code == 2)
    }

    @Test func `errors and ages choose jobs, and no sign in a text is a wildcard`() async throws {
        let fixture = try await fixture()
        let tenure = fixture.tenure
        let found = try await tenure.run("job", "list", "--error", "route_to", "--json").array()
        #expect(found.count == 3)
        #expect(try await tenure.run("job", "list", "--error", "route%", "--json").array().isEmpty)
        #expect(
            try await tenure.run("job", "list", "--older-than", "1h", "--json").array().isEmpty)
        try await fixture.pool.simple(
            "UPDATE tenure.job SET created_at = created_at - interval '2 h' WHERE key = 'k9'")
        #expect(
            try await tenure.run("job", "list", "--older-than", "1h", "--json").array().count == 1)
        let gone = try await tenure.run("job", "discard", "--all", "--error", "no route")
        #expect(gone.output == "discarded 3\n")
        let again = try await tenure.run(
            "job", "retry", "--all", "--state", "discarded", "--error", "discarded by", "--json")
        #expect(try again.object()["results"] as? [String: Int] == ["retried": 3])
        #expect(try await fixture.jobs() == 420)
    }

    @Test func `what somebody's transaction holds is left and told, and delays nobody`()
        async throws
    {
        let fixture = try await fixture()
        let holder = PostgresPool(
            configuration: try PostgresConfiguration(fixture.conninfo), size: 1)
        let tenure = fixture.tenure
        try await holder.transaction { transaction in
            try await transaction.query(
                "SELECT FROM tenure.subject_lock WHERE key = 'k7' FOR UPDATE")
            let result = try await tenure.run("job", "cancel", "--all", "--queue", "mail")
            #expect(result.code == 1)
            #expect(result.output.contains("cancelled 299\n"))
            #expect(result.output.contains("busy 1: "))
        }
        #expect(
            try await tenure.run("job", "cancel", "--all", "--key", "k7").output == "cancelled 1\n")
        await holder.close()
    }

    @Test func `discard and delete, one by one`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let added = try await tenure.run("enqueue", "demo-fail", "--json").object()
        let id = try #require(added["id"] as? String)
        let early = try await tenure.run("job", "delete", id)
        #expect(early.code == 1 && early.output.contains("cancel or discard it first"))
        #expect(try await tenure.run("job", "discard", id).output == "discarded \(id)\n")
        let late = try await tenure.run("job", "discard", id)
        #expect(late.code == 1 && late.output.contains("over already"))
        #expect(try await tenure.run("job", "delete", id).output == "deleted \(id)\n")
        #expect(try await tenure.run("job", "show", id).code == 2)
    }
}
