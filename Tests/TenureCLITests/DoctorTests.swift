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
            "transactions", "LISTEN",
        ] { #expect(well[check] == "ok", "\(check)") }
        try await fixture.pool.simple(
            """
            SELECT tenure.put_schedule('late', '1 h', NULL, NULL, '{"kind": "k"}', false);
            UPDATE tenure.schedule SET next_at = clock_timestamp() - interval '1 day';
            SELECT tenure.open_session('worker', 'fast', '0', '1 h', '{default}', '{k}',
                                       clock_timestamp() + interval '1 min');
            SELECT tenure.enqueue('k');
            SELECT * FROM tenure.claim(1, 'default', '{k}', 1);
            UPDATE tenure.job SET ending_at = clock_timestamp() - interval '2 min';
            ALTER TABLE tenure.job SET (autovacuum_enabled = false);
            """)
        let ill = try await levels(fixture.tenure)
        #expect(ill["schedules"] == "warn")
        #expect(ill["clocks"] == "warn")
        #expect(ill["stuck handlers"] == "warn")
        #expect(ill["dead rows"] == "fail")
        #expect(try await fixture.tenure.run("doctor").code == 2)
    }

    @Test func `a user without rights is told which`() async throws {
        let fixture = try await Fixture()
        let role = "poor_\(UInt32.random(in: 0 ... .max))"
        try await fixture.pool.simple(
            """
            CREATE ROLE \(role) LOGIN;
            GRANT USAGE ON SCHEMA tenure, content TO \(role);
            GRANT SELECT ON ALL TABLES IN SCHEMA tenure, content TO \(role);
            REVOKE SELECT ON content.chunk FROM \(role);
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
        let offered = Process()
        offered.executableURL = URL(filePath: "/bin/bash")
        offered.arguments = [
            "-c",
            """
            \(script.output)
            COMP_WORDS=(tenure job d); COMP_CWORD=2; COMP_LINE="tenure job d"; COMP_POINT=12
            _tenure; echo "${COMPREPLY[@]}"
            """,
        ]
        let pipe = Pipe()
        offered.standardOutput = pipe
        try offered.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.contains("discard") && text.contains("delete"), "\(text)")
    }
}
