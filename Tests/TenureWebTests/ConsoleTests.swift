import Foundation
import HTTPTypes
import Hummingbird
import Tenure
import Testing

@testable import TenureWeb

/// The console's answers, without a server around it. `bin/test console` looks at it in a browser.
@Suite struct ConsoleTests {
    private static let pages = [
        "", "jobs", "jobs?finished=1&queue=desk", "jobs/cancel?queue=desk", "queues",
        "queues/desk", "kinds", "workers", "keys", "keys?kind=report&key=%3Cb%3E%22it%22%3C/b%3E",
        "batches", "schedules", "lanes?queue=desk", "statistics", "actions",
        "actions?verb=pause&by=ada&since=1h", "jobs/enqueue", "jobs/enqueue?kind=%3Cb%3E",
    ]

    @Test func `each page answers as HTML and as JSON, wherever it is mounted`() async throws {
        let bench = try await ConsoleBench()
        let session = ConsoleSession(name: "ada", mayAct: true)
        for prefix in ["", "/admin"] {
            let console = bench.console { $0.prefix = prefix }
            for page in Self.pages + [
                "jobs/\(bench.job)", "jobs/\(bench.job)/edit", "jobs/find?id=\(bench.job)",
            ] {
                let html = try await Answer.to("\(prefix)/\(page)") {
                    await console.respond(to: $0, in: session)
                }
                #expect(html.status == 200, "\(page): \(html.text)")
                #expect(!html.text.contains("<b>") && html.headers[.contentSecurityPolicy] != nil)
                #expect(prefix.isEmpty || !html.text.contains("href=\"/jobs"), "\(page)")
                let json = try await Answer.to(
                    "\(prefix)/\(page)", .get, "", [.accept: "application/json"]
                ) {
                    await console.respond(to: $0, in: session)
                }
                #expect(json.status == 200)
                _ = try JSONSerialization.jsonObject(with: Data(json.text.utf8))
            }
            let outside = try await Answer.to("/elsewhere/jobs") {
                await console.respond(to: $0, in: session)
            }
            #expect(outside.status == 404)
        }
    }

    @Test func `the overview tells of sessions that died within the hour`() async throws {
        let bench = try await ConsoleBench()
        let console = bench.console()
        func overview() async throws -> String {
            try await Answer.to("/") {
                await console.respond(to: $0, in: ConsoleSession(name: "ada", mayAct: false))
            }.text
        }
        let died = try await bench.pool.query(
            """
            INSERT INTO tenure.session (role, name, version, lease, ended_at, died)
            SELECT 'worker', 'w', '1', '30 s', clock_timestamp() - age, is_dead
            FROM (VALUES (interval '10 min', true), ('5 min', true), ('1 min', false),
                         ('2 h', true)) AS s (age, is_dead)
            RETURNING id
            """
        ) { try $0.decode(0, as: Int64.self) }
        #expect(try await overview().contains("2 sessions died in the last hour"))
        #expect(try await overview().contains("href=\"/workers/\(died[1])\""))
        try await bench.pool.simple(
            "UPDATE tenure.session SET ended_at = ended_at - interval '1 h'")
        #expect(try await !overview().contains("died in the last hour"))
    }

    @Test func `a paused schedule shows a time that lies ahead, and reasons show no secrets`()
        async throws
    {
        let bench = try await ConsoleBench()
        let console = bench.console { $0.redact = { $0.replacing("'it'", with: "…") } }
        func page(_ path: String) async throws -> String {
            try await Answer.to(path) {
                await console.respond(to: $0, in: ConsoleSession(name: "ada", mayAct: false))
            }.text
        }
        try await bench.pool.simple(
            """
            SELECT tenure.put_schedule('s', '1 h', NULL, NULL, '{"kind": "report"}', true);
            UPDATE tenure.schedule SET paused_at = now(), next_at = now() - interval '10 min'
            """)
        let schedules = try await page("/schedules")
        let next = schedules.components(separatedBy: "it would be ").last?.prefix(200)
        #expect(next?.contains(">in ") == true, "\(schedules)")
        let someone = Operator(client: bench.client, as: "ada", because: "key 'it'")
        try await someone.pause(kind: "report", because: "key 'it'")
        try await Lanes(client: bench.client, queue: "desk").hold(
            "l", for: .seconds(60), reason: "key 'it'")
        for path in ["/actions", "/kinds", "/", "/lanes?queue=desk", "/jobs/\(bench.job)"] {
            let text = try await page(path)
            #expect(text.contains("key …") && !text.contains("key &#39;it"), "\(path): \(text)")
        }
    }

    @Test func `payloads are shown, hidden, or cleaned`() async throws {
        let bench = try await ConsoleBench()
        let session = ConsoleSession(name: "ada", mayAct: true)
        let shown = bench.console()
        let hidden = bench.console { $0.hidesPayloads = true }
        let cleaned = bench.console { $0.redact = { $0.replacing(ConsoleBench.secret, with: "…") } }
        for accept in ["text/html", "application/json"] {
            func has(_ console: Console) async throws -> Bool {
                try await Answer.to("/jobs/\(bench.job)", .get, "", [.accept: accept]) {
                    await console.respond(to: $0, in: session)
                }.text.contains(ConsoleBench.secret)
            }
            #expect(try await has(shown))
            #expect(try await !has(hidden))
            #expect(try await !has(cleaned))
        }
    }

    @Test func `a verb wants the session's own token, from its own pages, and a right`()
        async throws
    {
        let bench = try await ConsoleBench()
        let console = bench.console()
        let session = ConsoleSession(name: "ada", mayAct: true)
        let (own, other) = (session.token, ConsoleSession(name: "bob", mayAct: true).token)
        let none = HTTPFields()
        let evil: HTTPFields = [.origin: "https://evil.test"]
        let cross: HTTPFields = [HTTPField.Name("Sec-Fetch-Site")!: "cross-site"]
        for (token, headers) in [("", none), (other, none), (own, evil), (own, cross)] {
            let refused = try await Answer.to(
                "/queues/desk/pause", .post, "token=\(token)", headers
            ) {
                await console.respond(to: $0, in: session)
            }
            #expect(refused.status == 403)
        }
        let reader = ConsoleSession(name: "eve", mayAct: false)
        let looked = try await Answer.to("/queues/desk/pause", .post, "token=\(reader.token)") {
            await console.respond(to: $0, in: reader)
        }
        #expect(looked.status == 403)
        let queue = try await Inspector(pool: bench.pool).queues().first { $0.name == "desk" }
        #expect(queue?.pausedAt == nil)
        let taken = try await Answer.to(
            "/queues/desk/pause", .post, "token=\(own)", [.origin: "http://127.0.0.1:1"]
        ) { await console.respond(to: $0, in: session) }
        #expect(taken.status == 303 && taken.headers[.location] == "/queues/desk")
        let paused = try await Inspector(pool: bench.pool).queues().first { $0.name == "desk" }
        #expect(paused?.pausedBy == "ada")
        // What came of it is said once.
        for says in [true, false] {
            let page = try await Answer.to("/queues/desk") {
                await console.respond(to: $0, in: session)
            }
            #expect(page.text.contains("Paused: what runs goes on.") == says)
        }
    }

    @Test func `a link lets one browser in, once, and a token a program`() async throws {
        let bench = try await ConsoleBench()
        let token = String(repeating: "t", count: 40)
        let access = TokenAccess(bench.console(), as: "ada", mayAct: true, programToken: token)
        func status(_ path: String, _ headers: HTTPFields = [:]) async throws -> Answer {
            try await Answer.to(path, .get, "", headers) { await access.respond(to: $0) }
        }
        #expect(try await status("/jobs").status == 401)
        let link = access.newLink()
        let entered = try await status(link)
        #expect(entered.status == 303)
        #expect(try await status(link).status == 401)
        let cookie = try #require(entered.headers[.setCookie])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(try await status("/jobs", [.cookie: "a=b; \(pair)"]).status == 200)
        #expect(try await status("/jobs", [.cookie: pair + "0"]).status == 401)
        #expect(try await status("/jobs", [.authorization: "Bearer \(token)"]).status == 200)
        #expect(try await status("/jobs", [.authorization: "Bearer \(token)t"]).status == 401)
    }

    @Test func `bad addresses get one line, and the right status`() async throws {
        let bench = try await ConsoleBench()
        let console = bench.console()
        let session = ConsoleSession(name: "ada", mayAct: true)
        for (path, status) in [
            ("/nothing", 404), ("/jobs/x", 404), ("/jobs?state=x", 400), ("/jobs?key=%00", 400),
            ("/workers/-1", 404), ("/queues/none", 404), ("/statistics?since=x", 400),
            ("/%ff", 404), ("/jobs?older-than=ever", 400), ("/actions?since=ever", 400),
            ("/actions?job=x", 400), ("/jobs/x/edit", 404),
        ] {
            let answer = try await Answer.to(path, .get, "", [.accept: "application/json"]) {
                await console.respond(to: $0, in: session)
            }
            #expect(answer.status == status, "\(path): \(answer.text)")
            let object = try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
            #expect((object as? [String: String])?["error"]?.isEmpty == false)
        }
    }
}
