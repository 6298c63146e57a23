import Foundation
import Tenure
import Testing

/// A database whose sequences are behind what its tables hold, as after a bad restore.
@Suite struct RestoreTests {
    private static func restored() async throws -> Fixture {
        let fixture = try await Fixture()
        _ = try await fixture.tenure.run(
            "enqueue", "demo-sleep", "--key", "page", "--payload", #"{"seconds":600}"#)
        // A worker that was at work when the backup was made.
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.session (role, name, version, lease, queues, kinds)
            VALUES ('worker', 'gone', '1', '30 s', '{default}', '{demo-sleep}');
            UPDATE tenure.job SET state = 'running', fence = 500, session_id = 700, attempt = 1;
            """)
        return fixture
    }

    private static func numbers(_ result: Command.Result) throws -> [String: [String: Any]] {
        let all = try result.object()["numbers"] as? [[String: Any]] ?? []
        return Dictionary(uniqueKeysWithValues: all.map { ($0["name"] as? String ?? "", $0) })
    }

    @Test func `sequences behind the tables are found, and nothing is changed`() async throws {
        let fixture = try await Self.restored()
        for arguments in [["--json"], ["--fix", "--dry-run", "--json"]] {
            let result = try await fixture.tenure.runAll(["restore", "check"] + arguments)
            #expect(result.code == 1)
            let numbers = try Self.numbers(result)
            #expect(numbers["fence"]?["given"] as? Int == 0)
            #expect(numbers["fence"]?["found"] as? Int == 500)
            #expect(numbers["session"]?["given"] as? Int == 1)
            #expect(numbers["session"]?["found"] as? Int == 700)
            #expect(try result.object()["openSessions"] as? Int == 1)
            #expect(try result.object()["runningJobs"] as? Int == 1)
        }
        let text = try await fixture.tenure.run("restore", "check")
        #expect(text.output.contains("behind"))
        #expect(text.output.contains("tenure restore check --fix"))
        let untouched = try await fixture.value(
            "SELECT last_value = 1 FROM tenure.fence", as: Bool.self)
        #expect(untouched)
    }

    @Test func `the mended database gives no number twice, and its jobs run again`() async throws {
        let fixture = try await Self.restored()
        let result = try await fixture.tenure.run(
            "restore", "check", "--fix", "--ahead", "1000", "--json")
        #expect(result.code == 0)
        #expect(try Self.numbers(result)["fence"]?["raisedTo"] as? Int == 1500)
        let next = try await fixture.value(
            """
            SELECT nextval('tenure.fence') > 1500 AND nextval('tenure.session_id_seq') = 1701
                AND nextval('tenure.generation') > 1000
            """, as: Bool.self)
        #expect(next)
        #expect(
            try await fixture.value(
                "SELECT count(*) = 0 FROM tenure.session WHERE ended_at IS NULL", as: Bool.self))
        let after = try await fixture.tenure.run("restore", "check")
        #expect(after.code == 0)
    }

    @Test func `what a restore check can't read is told in one line`() async throws {
        let fixture = try await Fixture(migrated: false)
        let bare = try await fixture.tenure.run("restore", "check")
        #expect(bare.code == 2)
        #expect(bare.errors.contains("tenure migrate up"))
        let dry = try await fixture.tenure.run("restore", "check", "--dry-run")
        #expect(dry.code == 2)
        #expect(dry.errors.contains("--dry-run goes with --fix"))
        let far = try await fixture.tenure.run("restore", "check", "--ahead=-5")
        #expect(far.errors.contains("give 0 to 1000000000000"))
    }
}
