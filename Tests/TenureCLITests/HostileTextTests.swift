import Content
import Foundation
import Logging
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

/// Names, keys, titles and messages that would write on a terminal what nobody said.
@Suite struct HostileTextTests {
    /// A title, a colour by C1, a turned direction, a joiner, ends of lines, a tag, a delete, and a
    /// line of its own.
    static let evil =
        "a\u{1B}]0;x\u{7}\u{9B}31m\u{202E}b\u{2066}c\u{200B}"
        + "\u{2028}\u{85}\r\u{7F}\u{E0041}\t\nINJECTED"

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\n" { return true }
        if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { return false }
        let turned: [ClosedRange<UInt32>] = [
            0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xE0000...0xE007F,
        ]
        return !turned.contains { $0.contains(scalar.value) }
    }

    static func unseen(in text: String) -> [String] {
        text.unicodeScalars.filter { !isSeen($0) }.map { String($0.value, radix: 16) }
            + text.split(separator: "\n").filter { $0.hasPrefix("INJECTED") }.map(String.init)
    }

    @Test func `what a terminal would obey is shown as JSON writes it`() {
        #expect(PlainText.escaped("plain\ntext, ümlaut 日本 🙂") == "plain\ntext, ümlaut 日本 🙂")
        #expect(PlainText.line("a\nb") == "a\\nb")
        #expect(PlainText.escaped("\u{1B}[1m") == "\\u001b[1m")
        #expect(PlainText.escaped("\u{E0041}") == "\\udb40\\udc41")
        #expect(PlainText.escaped("a\r\nb\rc") == "a\r\nb\\rc")
        for code in 0..<UInt32(0x110000) {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let shown = PlainText.line(String(scalar))
            if !Self.unseen(in: shown).isEmpty || shown.contains("\n") {
                Issue.record("U+\(String(code, radix: 16)) is shown as it is")
            }
        }
    }

    @Test func `JSON stays the same JSON`() throws {
        let text = try JSONText.encode([Self.evil])
        let shown = PlainText.escaped(text)
        #expect(Self.unseen(in: shown).isEmpty)
        #expect(try JSONDecoder().decode([String].self, from: Data(shown.utf8)) == [Self.evil])
    }

    @Test func `a line of a log is one line, with its quotes`() {
        let entry = LogEntry(
            time: Date(), level: .error, message: "failed: \(Self.evil)",
            metadata: ["job.key": "\(Self.evil)", "b": "x\"\u{301} level=info", "c": "\u{202E}"])
        let line = TextLine.make(entry)
        #expect(Self.unseen(in: line).isEmpty && !line.contains("\n"), "\(line)")
        #expect(line.unicodeScalars.contains("\\"))
        #expect(line.contains("b=\"x\\\"\u{301} level=info\""), "\(line)")
    }

    @Test func `reports hold no formula, no broken cell and no broken code`() {
        for start in ["=", "+", "-", "@", "\t", "\r", "\r\n", "\n", "=\u{301}", "＝"] {
            let cell = ReportCSV.cell(start + "cmd|' /C calc'!A0")
            let opened = cell.hasPrefix("\"'") || cell.hasPrefix("'")
            #expect(opened, "\(cell)")
        }
        #expect(ReportCSV.cell("a,\u{301}b") == "\"a,\u{301}b\"")
        let quoted = ReportCSV.cell("a\"\u{301},=1")
        #expect(quoted.unicodeScalars.filter { $0 == "\"" }.count == 4, "\(quoted)")
        let code = ReportMarkdown.code("`\u{301}<img>`|\u{301}x")
        #expect(code.unicodeScalars.filter { $0 == "`" }.count == 2, "\(code)")
        #expect(code.unicodeScalars.contains("\\"))
    }

    @Test func `no text command lets a name do anything`() async throws {
        let fixture = try await Fixture()
        let jobs = try await Self.write(to: fixture.pool)
        try await withFolder { folder in
            let commands = CanaryCommands(
                url: Self.url, key: Self.evil, run: jobs[0], jobs: jobs, folder: folder
            ).all.merging(Self.shown(jobs)) { $0 + $1 }
            for name in CanaryCommands.names() where !Self.apart.contains(name) {
                for arguments in commands[name] ?? [] where !arguments.contains("--wait") {
                    let words = name.split(separator: " ").map(String.init) + arguments
                    for more in [[], ["--json"]] {
                        let said = try await fixture.tenure.with("TENURE_LOG_LEVEL", "trace")
                            .runAll(words + more)
                        #expect(!said.errors.contains("Usage:"), "\(words + more) shows nothing")
                        let unseen = Self.unseen(in: said.output + said.errors)
                        #expect(unseen.isEmpty, "\(words + more): \(unseen)\n\(said.output)")
                    }
                }
            }
        }
    }

    /// They wait for workers, or for nobody.
    private static let apart = [
        "up", "worker", "coordinator", "bench", "bench worker", "check", "batch watch", "fetch",
    ]

    private static let url = "http://a.test/\u{1B}]0;x\u{7}\u{202E}\u{9B}1m"

    private static func shown(_ jobs: [String]) -> [String: [[String]]] {
        [
            "queue show": [[evil]], "queue pause": [[evil]], "queue resume": [[evil]],
            "queue limit": [[evil, "3"]], "queue rate": [[evil, "1/1s"]],
            "queue age": [[evil, "10m"]],
            "queue capacity": [[evil, "3"]],
            "kind letters": [[evil, evil, "--queue", evil], ["k", evil], [evil, "none"]],
            "queue letters": [[evil, evil], [evil, "none"]],
            "queue drain": [[evil, "--timeout", "1s"]], "kind pause": [[evil]],
            "kind resume": [[evil]], "key show": [[evil, evil]], "worker stop": [[evil]],
            "enqueue": [[evil, "--key", evil, "--queue", evil, "--lane", evil]],
            "job list": [["--finished", "--kind", evil], ["--queue", evil], ["--error", evil]],
            "job cancel": [[evil], [jobs[2]]], "job retry": [["--all", "--kind", evil]],
            "schedule add": [[evil, evil, "--every", "1h", "--payload", "{}"]],
            "schedule pause": [[evil]], "schedule resume": [[evil]], "schedule remove": [[evil]],
            "host show": [[evil]], "host set": [[evil, "--own"]], "host hold": [[evil]],
            "lane show": [[evil]], "lane set": [[evil, "--max-running", "1"]],
            "lane hold": [[evil, "--for", "1h"]], "lane release": [[evil]],
            "host release": [[evil]], "item edit": [[url, "--set", "title=\(evil)"]],
            "stats": [[], ["--queue", evil]], "action list": [["--verb", evil], ["--by", evil]],
            "job edit": [[evil, "--queue", "q"], [jobs[2], "--queue", evil, "--by", evil]],
        ]
    }

    /// One of each, with such names wherever a name goes. Returns the jobs.
    private static func write(to pool: PostgresPool) async throws -> [String] {
        let text = "'\(evil.replacing("'", with: "''"))'"
        try await writeJobs(text, to: pool)
        try await writeContent(text, link: "'\(url)'", to: pool)
        return try await pool.query(
            "SELECT id::text FROM tenure.job UNION ALL SELECT id::text FROM tenure.job_history"
        ) { try $0.decode(0, as: String.self) }
    }

    private static func writeJobs(_ text: String, to pool: PostgresPool) async throws {
        try await pool.simple(
            """
            INSERT INTO tenure.session (role, name, version, lease, queues, kinds, stop_at, stop_by)
            VALUES ('worker', \(text), \(text), '1 h', ARRAY[\(text)], ARRAY[\(text)],
                now(), \(text)),
                   ('coordinator', \(text), \(text), '1 h', '{}', '{}', NULL, NULL);
            INSERT INTO tenure.queue (name, paused_at, paused_by) VALUES (\(text), now(), \(text));
            INSERT INTO tenure.kind VALUES (\(text), now(), \(text), \(text));
            INSERT INTO tenure.lane (queue, name, set_at, set_by)
            VALUES (\(text), \(text), now(), \(text));
            INSERT INTO tenure.lane_holders (queue, lane, n) VALUES (\(text), \(text), 0);
            INSERT INTO tenure.lane_hold (queue, lane, until, reason, held_by)
            VALUES (\(text), \(text), now() + interval '1 h', \(text), \(text));
            INSERT INTO tenure.schedule (name, every, job, paused_at, paused_by)
            VALUES (\(text), '1 h', jsonb_build_object('kind', \(text), 'queue', \(text)), now(),
                    \(text));
            INSERT INTO tenure.action
                (id, at, last_at, verb, thing, whom, source, role, reason, about)
            VALUES (gen_random_uuid(), now(), now(), \(text), \(text), \(text), 'sql', \(text),
                    \(text), jsonb_build_object('name', \(text), \(text), \(text)));
            INSERT INTO tenure.subject (kind, key, issued) VALUES (\(text), \(text), 1);
            INSERT INTO tenure.job (
                id, run_at, state, kind, queue, key, lane, generation, payload, trace, hold_reason,
                hold_versions, ending_at, ending_by, session_id, fence, attempt, runs)
            SELECT gen_random_uuid(), now(), s.state::tenure.job_state, \(text), \(text), \(text),
                   \(text), 1, jsonb_build_object(\(text), \(text)), \(text), \(text),
                   ARRAY[\(text)], now(), \(text), CASE WHEN s.state = 'running' THEN 1 END,
                   CASE WHEN s.state = 'running' THEN 1 END, 1, 1
            FROM unnest('{running, held, available}'::text[]) AS s (state);
            INSERT INTO tenure.job_progress (job_id, fence, done, note)
            SELECT j.id, 1, 1, \(text) FROM tenure.job j WHERE j.state = 'running';
            INSERT INTO tenure.job_history (
                id, run_at, created_at, outcome, attempt, max_attempts, runs, payload_version,
                priority, kind, queue, key, lane, payload, result, reason, trace, session_id)
            SELECT gen_random_uuid(), now(), now(), o.outcome, 1, 1, 1, 1, 5, \(text), \(text),
                   \(text), \(text), jsonb_build_object('a', \(text)), to_jsonb(\(text)::text),
                    \(text),
                   \(text), 1
            FROM unnest(enum_range(NULL::tenure.job_outcome)) AS o (outcome);
            INSERT INTO tenure.attempt_error (job_id, fence, attempt, code, message)
            SELECT h.id, 1, 1, \(text), \(text) FROM tenure.job_history h
            """)
    }

    private static func writeContent(
        _ text: String, link: String, to pool: PostgresPool
    ) async throws {
        try await pool.simple(
            """
            INSERT INTO content.item (
                id, outcome, url, final_url, redirect_to, title, media_type, charset, etag, code,
                suspicion, fetched_at, status)
            VALUES (content.digest(\(link)), 'failed', \(link), \(link), \(link), \(text), \(text),
                    \(text), \(text), \(text), \(text), now(), 500);
            INSERT INTO content.target (id, href, state, code, status, next_href, first_broken_at,
                checked_at, changed_at)
            VALUES (content.digest(\(link)), \(link), 'broken', \(text), 404, \(link), now(), now(),
                    now());
            INSERT INTO content.target_event (target, before, after, code)
            VALUES (content.digest(\(link)), 'ok', 'broken', \(text));
            INSERT INTO content.reference (
                item, target, ordinal, line, "column", kind, strength, raw, words)
            VALUES (content.digest(\(link)), content.digest(\(link)), 0, 1, 1, \(text), 'hard',
                    \(text), \(text));
            INSERT INTO content.own_host (host, set_by) VALUES (\(text), \(text))
            """)
    }
}
