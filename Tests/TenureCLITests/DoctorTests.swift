import Foundation
import Tenure
import TestSupport
import Testing

@Suite struct DoctorTests {
    private func levels(_ command: Command) async throws -> [String: String] {
        let findings = try await command.run("doctor", "--json").array()
        return Dictionary(
            findings.map { ($0["check"] as? String ?? "", $0["level"] as? String ?? "") }
        ) { first, second in first == "ok" ? second : first }
    }

    @Test func `each thing that is out of order is found`() async throws {
        let fixture = try await Fixture()
        let well = try await levels(fixture.tenure)
        for check in [
            "rights", "dead rows", "schedules", "stuck handlers", "partitions", "clocks", "leases",
            "queues", "transactions", "LISTEN", "waiting jobs", "default_transaction_isolation",
            "batches", "lanes", "jobs", "queue",
        ] { #expect(well[check] == "ok", "\(check)") }
        try await fixture.pool.simple(
            """
            SELECT tenure.put_schedule('late', '1 h', NULL, NULL, '{"kind": "k"}', false);
            UPDATE tenure.schedule SET next_at = clock_timestamp() - interval '1 day';
            SELECT tenure.open_session('worker', 'fast', '0', '1 h', '{default}', '{k}',
                                       clock_timestamp() + interval '1 min');
            SELECT tenure.enqueue('k');
            SELECT * FROM tenure.claim(
                (SELECT max(s.id) FROM tenure.session s), 'default', '{k}', 1);
            UPDATE tenure.job SET ending_at = clock_timestamp() - interval '2 min';
            ALTER TABLE tenure.job SET (autovacuum_enabled = false);
            SELECT tenure.enqueue('k', key => 'a');
            UPDATE tenure.job SET state = 'waiting' WHERE key = 'a';
            DO $$ BEGIN EXECUTE format(
                'ALTER DATABASE %I SET default_transaction_isolation = %L', current_database(),
                'repeatable read'); END $$;
            INSERT INTO tenure.batch (id, is_whole, follow_up) VALUES (tenure.new_id(), true, '7');
            SELECT tenure.settle_batches(array(SELECT r.id FROM tenure.batch r));
            SELECT tenure.enqueue('k', lane => 'l');
            UPDATE tenure.lane SET min_interval = '294000 years';
            SELECT tenure.enqueue('k');
            UPDATE tenure.job SET priority = 12 WHERE state = 'available' AND lane IS NULL;
            """)
        let ill = try await levels(fixture.tenure)
        #expect(ill["schedules"] == "warn")
        #expect(ill["clocks"] == "warn")
        #expect(ill["stuck handlers"] == "warn")
        #expect(ill["dead rows"] == "fail")
        #expect(ill["waiting jobs"] == "warn")
        #expect(ill["default_transaction_isolation"] == "warn")
        let told = try await fixture.tenure.run("doctor", "--quiet").output
        #expect(told.contains("default_transaction_isolation: repeatable read (database "))
        for check in ["batches", "lanes", "jobs"] { #expect(ill[check] == "warn", "\(check)") }
        #expect(try await fixture.tenure.run("doctor").code == 2)
    }

    @Test func `a queue that looks well and can't be worked with is a failure`() async throws {
        let fixture = try await Fixture()
        func trial() async throws -> [String: Any]? {
            try await fixture.tenure.run("doctor", "--json").array()
                .first { $0["check"] as? String == "queue" }
        }
        #expect(try await trial()?["level"] as? String == "ok")
        let left = """
            SELECT (SELECT count(*) FROM tenure.job) + (SELECT count(*) FROM tenure.session)
            """
        #expect(try await fixture.value(left, as: Int64.self) == 0)
        try await fixture.pool.simple(
            """
            CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'could not load library'; END $$;
            CREATE TRIGGER broken BEFORE INSERT ON tenure.job EXECUTE FUNCTION broken();
            """)
        let broken = try await trial()
        #expect(broken?["level"] as? String == "fail")
        #expect((broken?["message"] as? String)?.contains("could not load library") == true)
        #expect(try await fixture.tenure.run("doctor").code == 2)
    }

    @Test func `due jobs of a queue that no live worker takes from are a warning`() async throws {
        let fixture = try await Fixture()
        func queues() async throws -> [String] {
            try await fixture.tenure.run("doctor", "--json").array()
                .filter { $0["check"] as? String == "queues" }
                .map { "\($0["level"] ?? "") \($0["message"] ?? "")" }
        }
        try await fixture.pool.simple(
            """
            SELECT tenure.enqueue('k', queue => 'mail') FROM generate_series(1, 3);
            SELECT tenure.enqueue('k', queue => 'later', after => '1 h');
            SELECT tenure.enqueue('k', queue => 'reports');
            UPDATE tenure.job SET run_at = '2026-01-31T08:00:00Z' WHERE queue = 'reports';
            SELECT tenure.open_session('coordinator', 'lea', '0', '1 h', '{}', '{}');
            """)
        let told = try await queues()
        #expect(told.count == 2)
        let reports = "warn 1 job due in reports since 2026-01-31 08:00:00Z ("
        #expect(told.first?.hasPrefix(reports) == true, "\(told)")
        #expect(told.last?.hasPrefix("warn 3 jobs due in mail since ") == true, "\(told)")
        let text = try await fixture.tenure.run("doctor", "--quiet")
        #expect(text.code == 1)
        let line = text.output.split(separator: "\n").first { $0.contains("mail") }
        #expect(line?.hasPrefix("warn  queues: 3 jobs due in mail") == true)
        #expect(line?.contains("Start one with: tenure worker --queue mail;") == true)

        #expect(try await fixture.tenure.run("queue", "pause", "reports").code == 0)
        try await fixture.pool.simple(
            "SELECT tenure.open_session('worker', 'ada', '0', '1 h', '{mail}', '{k}')")
        let well = "ok a live worker takes from each with due jobs"
        #expect(try await queues() == [well])
        func kinds() async throws -> String? {
            try await fixture.tenure.run("doctor", "--json").array()
                .first { $0["check"] as? String == "kinds" }?["message"] as? String
        }
        #expect(try await kinds()?.hasPrefix("none is paused") == true)
        try await fixture.pool.simple("SELECT tenure.enqueue('nobodys', queue => 'mail')")
        #expect(
            try await kinds() == "1 job of nobodys due, and no live worker knows the kind")
        try await fixture.pool.simple("DELETE FROM tenure.job WHERE kind = 'nobodys'")
        // A worker that falls silent or was asked to stop takes nothing, although it has not ended.
        try await fixture.pool.simple(
            "UPDATE tenure.session SET beaten_at = beaten_at - interval '2 h'")
        #expect(try await queues().map { $0.prefix(6) } == ["warn 3"])
        try await fixture.pool.simple(
            "UPDATE tenure.session SET beaten_at = clock_timestamp(), stop_at = clock_timestamp()")
        #expect(try await queues().map { $0.prefix(6) } == ["warn 3"])
        try await fixture.pool.simple("UPDATE tenure.session SET stop_at = NULL")
        #expect(try await queues() == [well])
    }

    @Test func `a user without rights is told which`() async throws {
        let fixture = try await Fixture()
        let role = "poor_\(UInt32.random(in: 0 ... .max))"
        let roles = try await fixture.tenure.run("roles", "--apply", "--prefix", "\(role)_")
        #expect(roles.code == 0, "\(roles.errors)")
        try await fixture.pool.simple(
            """
            CREATE ROLE \(role) LOGIN IN ROLE \(role)_reader;
            REVOKE SELECT ON content.chunk FROM \(role)_reader;
            """)
        let poor = Command("\(fixture.conninfo) user=\(role)")
        let result = try await poor.run("doctor")
        #expect(result.code == 2)
        #expect(result.output.contains("fail  rights"), "\(result.output)")
        #expect(result.output.contains("lacks SELECT on chunk, even as a reader"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions are generated, and name the nouns`(shell: String) async throws {
        let script = try await Command().run("--generate-completion-script", shell)
        #expect(script.code == 0)
        for noun in ["job", "queue", "worker", "key", "schedule", "stats", "top", "doctor"] {
            #expect(script.output.contains(noun))
        }
        guard shell == "bash" else { return }
        // What a shell offers after `tenure job d` and TAB.
        let text = try await output(
            of: "/bin/bash", "-c",
            """
            \(script.output)
            COMP_WORDS=(tenure job d); COMP_CWORD=2; COMP_LINE="tenure job d"; COMP_POINT=12
            _tenure; echo "${COMPREPLY[@]}"
            """)
        #expect(text.contains("discard") && text.contains("delete"), "\(text)")
    }
}
