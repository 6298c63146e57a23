import Foundation
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

/// Secrets that are given where secrets are given are in the database, and on the way to where they
/// are needed. Nothing that is printed, logged, measured or listed has them.
@Suite(.serialized) struct CanaryTests {
    /// Everything that was said, by who said it.
    private struct Said {
        private(set) var texts: [(who: String, text: String)] = []

        mutating func add(_ who: String, _ text: String) { texts.append((who, text)) }

        mutating func add(_ who: String, _ result: Command.Result) {
            add(who, result.output + result.errors)
        }

        /// The lines with a canary in them.
        var songs: [String] {
            texts.flatMap { who, text in
                text.split(separator: "\n").filter { $0.contains("kanary") }
                    .map { "\(who): \($0.prefix(400))" }
            }
        }
    }

    private static func web() throws -> LocalWeb {
        let web = try LocalWeb()
        let page = """
            <title>Birds</title><p>One two three <a href="/gone?api_key=kanary-link">four</a>
            <a href="\(web.url)/cut?sig=kanary-link#x">five</a> <a href="?token=kanary-link">six</a>
            <a href="http://u:kanary-userinfo@127.0.0.1/x">seven</a> <a href="/moved">eight</a>.
            """
        web.answer(
            "/page", .page(page, "Set-Cookie: id=kanary-cookie", "X-Auth-Token: kanary-header"))
        web.answer("/moved", .redirect(302, "/page?sig=kanary-redirect"))
        web.answer("/away", .redirect(302, "http://u:kanary-redirect@127.0.0.1/"))
        web.answer("/busy", .status(500, "X-Secret: kanary-header"))
        web.answer("/cut", LocalWeb.Answer(body: Array("<p>x".utf8), isCut: true))
        return web
    }

    /// With a password in its connection string.
    private static func tenure(_ fixture: Fixture) -> Command {
        var conninfo = fixture.conninfo
        if !conninfo.contains("://") { conninfo += " password=kanary-database" }
        return Command(conninfo).with("TENURE_CONTENT_ALLOW", "127.0.0.1")
            .with("TENURE_CONTENT_HOST_INTERVAL", "100ms")
    }

    private static func enqueue(_ web: LocalWeb, _ tenure: Command, _ said: inout Said) async throws
    {
        let payload = #"{"message":"login failed: kanary-payload!","password":"kanary-payload"}"#
        for more in [[], ["--queue", "other"]] {
            let result = try await tenure.runAll(
                ["enqueue", "demo-fail", "--max-attempts", "1", "--payload", payload] + more)
            said.add("enqueue", result)
            #expect(result.code == 0)
        }
        let held = #"{"message":7,"password":"kanary-payload"}"#
        said.add("enqueue", try await tenure.run("enqueue", "demo-fail", "--payload", held))
        said.add("fetch", try await tenure.run("fetch", "http://127.0.0.1:1/?token=kanary-query"))
        for path in ["/page", "/moved", "/away", "/busy", "/cut", "/gone"] {
            let url = "\(web.url)\(path)?token=kanary-query&q=1"
            said.add("fetch", try await tenure.run("fetch", url))
        }
    }

    @Test func `canaries are in no output, no log, no metric and no list of processes`()
        async throws
    {
        let fixture = try await Fixture()
        let web = try Self.web()
        let tenure = Self.tenure(fixture)
        var said = Said()
        let port = UInt16.random(in: 20_000...29_000)
        let up = try tenure.start(
            "up", "--workers", "1", "--queue", "default:8", "--lease", "3s", "--metrics-port",
            "\(port)", "--log-level", "trace")
        let other = try tenure.with("TENURE_LOG_FORMAT", "json").start(
            "worker", "--queue", "other:1", "--lease", "3s", "--log-level", "trace")
        try await fixture.eventually(
            "all run", "SELECT count(*) = 3 FROM tenure.session WHERE ended_at IS NULL")
        try await Self.enqueue(web, tenure, &said)
        try await fixture.eventually(
            "jobs end", within: .seconds(90),
            """
            SELECT count(*) FILTER (WHERE kind = 'demo-fail') >= 2
               AND count(*) FILTER (WHERE kind = 'content-fetch') >= 3 FROM tenure.job_history
            """)
        try await Self.runAll(fixture, web, tenure, &said)
        for number in [up.id, other.id] {
            for line in ProcessTree.lines(below: number) { said.add("process", line) }
        }
        for number in 0...1 {
            let scrape = try #require(Scrape.get(port + UInt16(number), "/metrics"))
            said.add("metrics", scrape.body)
        }
        try await Self.browse(fixture, tenure, &said)
        for process in [up, other] {
            process.send(SIGTERM)
            let result = try await process.result()
            #expect(result.errors.contains("job failed"), "there is a log: \(result.errors)")
            said.add("log", result)
        }
        #expect(said.texts.count > 100)
        for song in said.songs { Issue.record("\(song)") }
        try await Self.expectCanariesAlive(fixture, web, said.texts.map(\.text).joined())
    }

    /// Every page of the console, for people and for programs.
    private static func browse(
        _ fixture: Fixture, _ tenure: Command, _ said: inout Said
    ) async throws {
        let token = String(repeating: "t", count: 40)
        let port = UInt16.random(in: 30_000...32_000)
        let console = try tenure.with("TENURE_WEB_TOKEN", token).start("web", "--port", "\(port)")
        let (jobs, others) = try await pages(fixture)
        let paths =
            jobs + others + [
                "/", "/jobs?finished=1", "/queues", "/queues/default", "/kinds", "/workers",
                "/batches", "/schedules", "/lanes", "/statistics", "/sites", "/links", "/items",
                "/hosts", "/doctor",
            ]
        for _ in 0..<500 where Scrape.get(port, "/") == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        for path in paths {
            for form in ["text/html", "application/json"] {
                let page = try #require(
                    Scrape.get(
                        port, path, ["Authorization: Bearer \(token)", "Accept: \(form)"]))
                #expect(page.status == 200, "\(path): \(page.body)")
                said.add("web \(path)", page.body)
            }
        }
        console.send(SIGTERM)
        said.add("web", try await console.result())
    }

    /// Those of each job and item, and of what URLs with canaries lead to.
    private static func pages(_ fixture: Fixture) async throws -> ([String], [String]) {
        func ids(_ statement: String) async throws -> [String] {
            try await fixture.pool.query(statement) { try $0.decode(0, as: String.self) }
        }
        let jobs = try await ids(
            // The others' types call nothing a secret.
            "SELECT '/jobs/' || id FROM tenure.job WHERE kind <> 'demo-sleep' UNION "
                + "SELECT '/jobs/' || id FROM tenure.job_history WHERE kind <> 'demo-sleep'")
        let others = try await ids(
            "SELECT '/items/' || id FROM content.item UNION ALL "
                + "SELECT '/checks/' || id FROM content.site_check UNION ALL "
                + "SELECT '/sites/' || id FROM content.site UNION ALL "
                + "SELECT '/workers/' || id FROM tenure.session")
        return (jobs, others)
    }

    /// Every command, as text and as JSON.
    private static func runAll(
        _ fixture: Fixture, _ web: LocalWeb, _ tenure: Command, _ said: inout Said
    ) async throws {
        let url = "\(web.url)/page?token=kanary-query&q=1"
        let check = try await tenure.run(
            "check", url, "--site", "--allow", "127.0.0.1", "--format", "json")
        said.add("check", check)
        let run = try #require(try check.object()["check"] as? String, "\(check.errors)")
        let jobs = try await fixture.pool.query(
            "SELECT id::text FROM tenure.job UNION SELECT id::text FROM tenure.job_history"
        ) { try $0.decode(0, as: String.self) }
        let key = try await fixture.value(
            "SELECT key FROM tenure.job_history WHERE kind = 'content-fetch' LIMIT 1",
            as: String.self)
        try await withFolder { folder in
            let commands = CanaryCommands(
                url: url, key: key, run: run, jobs: jobs, folder: folder
            ).all
            for name in CanaryCommands.names() {
                guard let runs = commands[name] else {
                    Issue.record("\(name) is not in CanaryCommands: say there how to run it")
                    continue
                }
                for arguments in runs {
                    let words = name.split(separator: " ").map(String.init) + arguments
                    for more in [[], ["--json"]] {
                        said.add(
                            "\(words + more)".replacing("kanary", with: "k"),
                            try await tenure.runAll(words + more))
                    }
                }
            }
            let baseline = try String(contentsOfFile: "\(folder)/baseline.json", encoding: .utf8)
            said.add("baseline", baseline)
        }
    }

    /// The test would be of no use with canaries that never were where they belong.
    private static func expectCanariesAlive(
        _ fixture: Fixture, _ web: LocalWeb, _ said: String
    ) async throws {
        #expect(web.requests.contains { $0.path.contains("kanary-query") })
        #expect(web.requests.contains { $0.path.contains("kanary-link") })
        let kept = try await fixture.value(
            """
            SELECT count(*) FROM tenure.job_history h
            WHERE h.payload::text LIKE '%kanary-payload%' OR h.payload::text LIKE '%kanary-query%'
            """, as: Int64.self)
        #expect(kept > 3)
        let leaked = try await fixture.value(
            """
            SELECT count(*) FROM (
                SELECT e.message FROM tenure.attempt_error e
                UNION ALL SELECT concat(h.reason, h.result) FROM tenure.job_history h
                UNION ALL SELECT j.hold_reason FROM tenure.job j
                UNION ALL SELECT f.detail FROM content.fetch_run f) AS t (said)
            WHERE t.said LIKE '%kanary%'
            """, as: Int64.self)
        #expect(leaked == 0)
        #expect(said.contains("login failed: …!"))
        #expect(said.contains(#""password" : "…""#))
        #expect(said.contains("token=…"))
    }

    @Test func `a database that can't be reached is told of without its password`() async throws {
        var said = Said()
        let urls = [
            "postgresql://ada:kanary-database@127.0.0.1:1/x", "postgresql://ada:kanary@[::1/x",
            "host=127.0.0.1 port=1 user=ada password='kanary database'",
            "host=a password=kanary-database bogus=1", "postgresql://u:kanary%zz@a/b",
            "host=127.0.0.1 port=1 password=kanary'database",
        ]
        let commands = [
            ["job", "list"], ["doctor"], ["worker"], ["coordinator"], ["migrate", "up"],
            ["up", "--workers", "1"], ["roles"], ["roles", "--apply"], ["top", "--count", "1"],
        ]
        // Each URL with the first command, and each other command with one of the URLs.
        for (row, url) in urls.enumerated() {
            for (column, arguments) in commands.enumerated()
            where column == 0 || column % urls.count == row {
                let given = try await Command(url).with("TENURE_LOG_LEVEL", "trace")
                    .runAll(arguments)
                said.add("\(arguments)", given)
                let flag = try await Command().runAll(arguments + ["--database-url", url])
                said.add("\(arguments)", flag)
                if arguments != ["roles"] { #expect(given.code != 0 && flag.code != 0) }
            }
        }
        let proxies = try await Command("host=127.0.0.1 port=1")
            .with("TENURE_CONTENT_PROXY", "socks9://me:kanary-proxy@x").run("worker")
        said.add("proxy", proxies)
        for song in said.songs { Issue.record("\(song)") }
    }
}

/// What `ps` shows of processes.
enum ProcessTree {
    /// The command lines of a process's children, and of theirs; the first is asked nothing, for it
    /// is what the test has started.
    static func lines(below parent: pid_t) -> [String] {
        children(of: parent).flatMap { child in
            [text("/proc/\(child)/cmdline").replacing("\0", with: " ")] + lines(below: child)
        }
    }

    /// Of each of its threads: any of them may have started one.
    private static func children(of parent: pid_t) -> [pid_t] {
        // Reason for `try?`: a process that has gone has no children.
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")
        return (threads ?? []).flatMap { thread in
            text("/proc/\(parent)/task/\(thread)/children").split(separator: " ")
                .compactMap { pid_t($0) }
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
