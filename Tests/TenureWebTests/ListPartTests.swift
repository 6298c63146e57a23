import Foundation
import HTTPTypes
import Tenure
import Testing

@testable import TenureWeb

/// Lists come in parts, each behind the last row of the one before it.
@Suite struct ListPartTests {
    private struct Desk {
        let bench: ConsoleBench
        let console: Console
        let session = ConsoleSession(name: "ada", mayAct: true)

        func ask(_ path: String, _ form: String = "application/json") async throws -> Answer {
            try await Answer.to(path, .get, "", [.accept: form]) {
                await console.respond(to: $0, in: session)
            }
        }

        func object(_ path: String) async throws -> [String: Any] {
            let answer = try await ask(path)
            let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
            return try #require(object as? [String: Any], "\(path): \(answer.text)")
        }

        /// The parts of a list, from its beginning to its end.
        func parts(_ path: String, rows: String = "rows") async throws -> [[[String: Any]]] {
            var parts: [[[String: Any]]] = []
            var next: String? = path
            while let path = next, parts.count < 10 {
                let object = try await object(path)
                parts.append(try #require(object[rows] as? [[String: Any]], "\(path)"))
                next = object["next"] as? String
                let page = try await ask(path, "text/html").text
                let shown = next.map { $0.replacing("&", with: "&amp;") }
                #expect(page.contains(#"rel="next">Next</a>"#) == (next != nil), "\(path)")
                #expect(shown.map { page.contains("href=\"\($0)\"") } ?? true, "\(path)")
                #expect(page.contains(">First</a>") == (parts.count > 1), "\(path)")
            }
            return parts
        }
    }

    private func desk(
        _ fill: [String], change: (inout ConsoleSettings) -> Void = { _ in }
    ) async throws -> Desk {
        let bench = try await ConsoleBench()
        for statement in fill { try await bench.pool.simple(statement) }
        return Desk(bench: bench, console: bench.console(change))
    }

    private static let rows = [
        """
        INSERT INTO tenure.batch (id, ended_at)
        SELECT ('01990000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
               CASE WHEN n % 3 > 0 THEN now() END
        FROM generate_series(1, 205) AS n
        """,
        // Some live, and some have ended at one moment.
        """
        INSERT INTO tenure.session (lease, role, name, version, ended_at, reclaimed_at)
        SELECT '1h', 'worker', 'w' || n, '1', CASE WHEN n % 2 = 0 THEN
                   timestamptz '2026-01-01' + (n / 20) * interval '0.000001s' END, now()
        FROM generate_series(1, 205) AS n
        """,
        """
        INSERT INTO tenure.action (id, at, last_at, verb, thing, whom, source, role, about)
        SELECT gen_random_uuid(), now(), timestamptz '2026-01-01' + n / 7 * interval '1 us',
               'pause', 'queue', 'ada', 'sql', 'r', '{}'
        FROM generate_series(1, 205) AS n
        """,
        """
        INSERT INTO tenure.schedule (name, every, job)
        SELECT 's é' || n, '1h', '{"kind": "a"}' FROM generate_series(1, 205) AS n
        """,
        """
        SELECT tenure.enqueue('k' || n, '{}', lane => 'l' || n, queue => 'lanes')
        FROM generate_series(1, 200) AS n
        """,
        """
        INSERT INTO tenure.lane_hold (queue, lane, until)
        SELECT 'lanes', 'l' || n, now() + '1h' FROM generate_series(199, 205) AS n,
               generate_series(1, 2)
        """,
        "SELECT tenure.enqueue('k', '{}', queue => 'q' || n) FROM generate_series(1, 205) AS n",
    ]

    /// Each list, what tells its rows apart, and how many there are.
    private static let lists = [
        ("/batches", "id", 205), ("/workers", "id", 205), ("/actions", "id", 205),
        ("/actions?verb=pause&by=ada", "id", 205), ("/lanes?queue=lanes", "lane", 205),
        ("/lanes?queue=lanes&prefix=l1", "lane", 111), ("/jobs", "id", 406),
        ("/jobs?queue=lanes&state=available", "id", 200), ("/queues", "name", 207),
        ("/kinds", "name", 202), ("/schedules", "name", 205),
    ]

    @Test func `the parts of a list have each of its rows once, a hundred at most`() async throws {
        let desk = try await desk(Self.rows)
        for (path, name, count) in Self.lists {
            let parts = try await desk.parts(path)
            #expect(parts.allSatisfy { $0.count <= 100 }, "\(path)")
            #expect(parts.dropLast().allSatisfy { $0.count == 100 }, "\(path)")
            let names = parts.joined().map { row in
                let schedule = row["schedule"] as? [String: Any]
                return "\(row[name] ?? schedule?[name] ?? "")"
            }
            #expect(names.count == count && Set(names).count == count, "\(path): \(names.count)")
        }
    }

    private static func names(_ part: [String: Any]) -> [String] {
        (part["rows"] as? [[String: Any]] ?? []).map { row in
            let name = (row["schedule"] as? [String: Any])?["name"] ?? row["id"]
            return "\(name ?? "")"
        }
    }

    @Test func `a part begins behind its row, whatever has gone meanwhile`() async throws {
        let desk = try await desk(Self.rows)
        for (path, table) in [("/schedules", "schedule"), ("/batches", "batch")] {
            let first = try await desk.object(path)
            let next = try #require(first["next"] as? String)
            let before = try await desk.object(next)
            let rows = "ctid IN (SELECT ctid FROM tenure.\(table) ORDER BY 1"
            let order = path == "/batches" ? "id DESC" : "name"
            try await desk.bench.pool.simple(
                "DELETE FROM tenure.\(table) WHERE \(rows.replacing("1", with: order)) LIMIT 100)")
            let after = try await desk.object(next)
            #expect(Self.names(before) == Self.names(after), "\(path)")
            #expect(Self.names(before).count == 100)
        }
    }

    @Test func `a key's generations and a session's runs come in parts, too`() async throws {
        let desk = try await desk([
            """
            SELECT tenure.enqueue('a', '{}', key => 'k', queue => 'keyed')
            FROM generate_series(1, 205)
            """,
            """
            INSERT INTO tenure.session (lease, role, name, version, queues, kinds)
            VALUES ('1h', 'worker', 'w', '1', '{many}', '{b}')
            """,
            """
            SELECT tenure.enqueue('b', '{}', queue => 'many') FROM generate_series(1, 205)
            """,
        ])
        let keys = try await desk.parts("/keys?kind=a&key=k", rows: "jobs")
        #expect(keys.map(\.count) == [100, 100, 5])
        let generations = keys.joined().compactMap { ($0["job"] as? [String: Any])?["generation"] }
        #expect(Set(generations.map { "\($0)" }).count == 205)
        let session = try await desk.bench.pool.query(
            "SELECT id FROM tenure.session WHERE name = 'w'"
        ) { try $0.decode(0, as: Int64.self) }[0]
        try await desk.bench.pool.simple(
            """
            UPDATE tenure.job SET state = 'running', session_id = \(session), claimed_at = now(),
                   fence = nextval('tenure.fence') WHERE queue = 'many'
            """)
        let runs = try await desk.parts("/workers/\(session)", rows: "runs")
        #expect(runs.map(\.count) == [100, 100, 5])
        #expect(Set(runs.joined().map { "\($0["id"] ?? "")" }).count == 205)
    }

    /// An address without its secrets would lead elsewhere, and one with them tells them.
    @Test func `names that look like secrets are in no address, and all rows are shown`()
        async throws
    {
        for hidden in ["true", "n < 250", "n % 2 = 0", "n = 100", "false"] {
            let desk = try await desk([
                """
                INSERT INTO tenure.schedule (name, every, job)
                SELECT CASE WHEN \(hidden) THEN 'secret' ELSE 'open' END || lpad(n::text, 3, '0'),
                       '1h', '{"kind": "a"}'
                FROM generate_series(1, 305) AS n
                """
            ]) { $0.redact = { $0.replacing(#/secret[0-9]+/#, with: "…") } }
            var (next, count): (String?, Int) = ("/schedules", 0)
            while let path = next, count < 1000 {
                #expect(!path.contains("secret"))
                let object = try await desk.object(path)
                count += (object["rows"] as? [Any])?.count ?? 0
                next = object["next"] as? String
            }
            #expect(count == 305, "\(hidden): \(count)")
        }
    }

    @Test func `a key that is none gets one line and 400`() async throws {
        let desk = try await desk([])
        let bad = [
            "after=x", "after=%3Cscript%3E", "after=%00", "after=..", "after=1.", "after=.",
            "after=-1.1", "after=99999999999999999999.1", "after=9223372036854775807.1",
            "after=999999999999999999.1",
            "after=1e3.1", "after=%2B1.1", "after=1&after=2", "skip=x", "skip=-1", "skip=10001",
            "skip=99999999999999999999", "after=" + String(repeating: "x", count: 20_000),
        ]
        for (path, tries) in [
            ("/jobs", bad), ("/batches", bad), ("/workers", bad), ("/actions", bad),
            ("/workers/1", bad), ("/keys", bad.filter { $0 != "after=1" }),
            (
                "/lanes",
                ["after=%00", "after=%ff", bad[bad.count - 1], "skip=x", "after=a&after=b"]
            ),
            ("/schedules", ["after=%00", "skip=1.5"]), ("/queues", ["after=%00"]),
            ("/kinds", ["skip=x"]), ("/statistics", ["skip=x"]),
        ] {
            for query in tries {
                let answer = try await desk.ask("\(path)?\(query)")
                #expect(answer.status == 400, "\(path)?\(query.prefix(60)): \(answer.text)")
                let page = try await desk.ask("\(path)?\(query)", "text/html")
                #expect(page.status == 400 && !page.text.contains("<script>"))
                let body = try JSONDecoder().decode(
                    [String: String].self, from: Data(answer.text.utf8))
                let line = try #require(body["error"])
                #expect(line.count < 300 && !line.contains("\n"), "\(line)")
            }
        }
        // Behind all of them there is nothing, and no mistake.
        for path in ["/lanes?after=%F4%8F%BF%BF", "/schedules?after=zz", "/batches?skip=100"] {
            let object = try await desk.object(path)
            #expect((object["rows"] as? [Any])?.isEmpty == true && object["next"] is NSNull)
        }
    }

    @Test func `the description says of each list that it comes in parts`() async throws {
        let desk = try await desk(Self.rows)
        let document = try await desk.object("/openapi.json")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        let components = document["components"] as? [String: [String: Any]]
        for path in Set(Self.lists.map { String($0.0.prefix { $0 != "?" }) }) {
            let get = try #require(paths[path]?["get"] as? [String: Any], "\(path)")
            let parameters = get["parameters"] as? [[String: Any]] ?? []
            let names = parameters.compactMap { $0["name"] as? String }
            #expect(Set(names).isSuperset(of: ["after", "skip"]), "\(path)")
            let text = String(
                decoding: try JSONSerialization.data(
                    withJSONObject: get, options: [.withoutEscapingSlashes]), as: UTF8.self)
            let name = text.firstMatch(of: #/components/schemas/(\w+Part|Lanes)"/#)
            let found = try #require(name, "\(path)")
            let schema = components?["schemas"]?[String(found.1)] as? [String: Any]
            let fields = try #require(schema?["properties"] as? [String: Any])
            #expect(Set(fields.keys) == Set(try await desk.object(path).keys), "\(path)")
        }
    }
}
