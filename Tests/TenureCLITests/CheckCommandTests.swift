import Foundation
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

private struct Step: Job {
    static let kind: JobKind = "step"
    static let options = JobOptions<Self>()
}

/// `tenure check`, as a process.
@Suite struct CheckCommandTests {
    /// A site of two pages, one of which is missing.
    private func site() throws -> LocalWeb {
        let web = try LocalWeb()
        web.answer("/", .page("<a href=/page>A page</a>"))
        web.answer("/page", .page("<a href=/dead>dead</a>"))
        return web
    }

    /// Runs to its end, or is killed after some time.
    private func run(
        _ arguments: [String], _ fixture: Fixture, within limit: Duration = .seconds(60)
    ) async throws -> Command.Result {
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let command = try tenure.start(arguments)
        let watch = Task {
            try await Task.sleep(for: limit)
            command.send(SIGKILL)
        }
        defer { watch.cancel() }
        return try await command.result()
    }

    private func check(
        _ place: String, _ fixture: Fixture, _ more: String...
    ) async throws -> Command.Result {
        try await run(["check", place, "--allow", "127.0.0.1"] + more, fixture)
    }

    @Test func `workers that can't do it keep nobody waiting`() async throws {
        let fixture = try await Fixture()
        let web = try site()
        let other = try fixture.tenure.start("worker", "--queue", "other", "--lease", "3s")
        let killed = try fixture.tenure.start("worker", "--lease", "6s")
        try await fixture.eventually(
            "both are there", "SELECT count(*) = 2 FROM tenure.session WHERE ended_at IS NULL")
        killed.send(SIGKILL)
        let checked = try await check(web.url + "/", fixture, "--site")
        #expect(checked.code == 1 && checked.output.contains("404  \(web.url)/dead"), "\(checked)")
        let fetched = try await run(["fetch", web.url + "/page", "--wait"], fixture)
        #expect(fetched.code == 0, "\(fetched)")
        other.send(SIGTERM)
        #expect(try await other.result().code == 0)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a check that is interrupted leaves no job behind`(signal: Int32) async throws {
        let fixture = try await Fixture()
        let web = try site()
        web.answer("/", .page("<a href=/slow>slow</a>"))
        web.answer("/slow", LocalWeb.Answer(isSilent: true))
        // At its address by the worker's setting alone.
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let check = try tenure.start("check", web.url + "/", "--site")
        try await fixture.eventually(
            "a page is read", "SELECT count(*) > 0 FROM content.item WHERE seen_at IS NOT NULL")
        check.send(signal)
        #expect(try await check.result().code == 3)
        let left = try await fixture.pool.query(
            "SELECT kind || ' ' || state || ' ' || queue FROM tenure.job"
        ) { try $0.decode(0, as: String.self) }
        #expect(left == [])
        #expect(
            try await fixture.value("SELECT count(*) FROM tenure.batch WHERE ended_at IS NULL") == 0
        )
    }

    /// Its workers are gone when the run ends, and nobody has come for what follows it.
    @Test func `what follows an interrupted check's run is cancelled with it`() async throws {
        let fixture = try await Fixture()
        var options = EnqueueOptions()
        options.queue = "check-1"
        let run = NewBatch(
            [try NewJob(Step(), options: options)],
            whenEnded: try NewJob(Step(), options: options))
        try await fixture.client.start(run)
        try await fixture.pool.simple(
            """
            SELECT tenure.open_session('worker', 'gone', '0', '1 s', '{}', '{}');
            SELECT * FROM tenure.claim(1, 'check-1', '{step}', 1)
            """)
        try await Operator(client: fixture.client, as: "ada").cancel(batch: run.id)
        try await fixture.pool.simple(
            "SELECT tenure.close_session(1); SELECT * FROM tenure.reclaim_runs(1)")
        #expect(
            try await fixture.value("SELECT count(*) FROM tenure.batch WHERE ended_at IS NULL") == 1
        )
        try await CheckCancellation.clear("check-1", of: run.id, fixture.client, fixture.pool)
        #expect(try await fixture.jobs() == 0)
        #expect(
            try await fixture.value("SELECT count(*) FROM tenure.batch WHERE ended_at IS NULL") == 0
        )
    }

    @Test func `a check that is interrupted tells of a job that it had to leave`() async throws {
        let fixture = try await Fixture()
        let web = try site()
        web.answer("/", .page("<a href=/slow>slow</a>"))
        web.answer("/slow", LocalWeb.Answer(isSilent: true))
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let check = try tenure.start("check", web.url + "/", "--site")
        try await fixture.eventually(
            "a page is read", "SELECT count(*) > 0 FROM content.item WHERE seen_at IS NOT NULL")
        let result = try await fixture.pool.transaction { transaction in
            _ = try await transaction.query("SELECT id FROM tenure.job FOR UPDATE")
            check.send(SIGTERM)
            return try await check.result()
        }
        #expect(result.code == 3)
        #expect(result.errors.contains("tenure job cancel --all --queue check-"), "\(result)")
    }

    @Test func `a check of which nothing could be read is not clean`() async throws {
        let fixture = try await Fixture()
        let web = try site()
        let other = try site()
        web.answer("/shut", .status(403))
        web.answer("/picture", LocalWeb.Answer(headers: ["Content-Type: image/png"]))
        web.answer("/moved", .redirect(301, other.url + "/page"))
        for (path, words) in [
            ("/shut", ["403"]), ("/picture", ["no page"]), ("/moved", ["redirects", "/page"]),
        ] {
            for more in [[], ["--site"]] {
                let result = try await run(
                    ["check", web.url + path, "--allow", "127.0.0.1"] + more, fixture)
                // Beside it a machine that stands still makes its worker log.
                let said = result.errorLines.filter { $0.hasPrefix("tenure: ") }
                #expect(result.code == 2 && said.count == 1, "\(path): \(result)")
                for word in words + [web.url + path] {
                    #expect(result.errors.contains(word), "\(path): \(result.errors)")
                }
            }
        }
    }

    @Test func `a check's queue has the name of its run`() async throws {
        let fixture = try await Fixture()
        let web = try site()
        let result = try await check(web.url + "/", fixture, "--format", "json")
        let run = try #require(try result.object()["check"] as? String, "\(result)")
        let queues = try await fixture.value(
            """
            SELECT string_agg(DISTINCT queue, ' ') FROM tenure.job_history
            WHERE kind = 'dependency-check'
            """, as: String.self)
        #expect(queues == "check-\(run)")
    }

    @Test func `an item is checked by its id`() async throws {
        let fixture = try await Fixture()
        let web = try site()
        #expect(try await run(["fetch", web.url + "/page", "--wait"], fixture).code == 0)
        let shown = try await run(["item", "show", web.url + "/page", "--json"], fixture)
        let id = try #require(try shown.object()["id"] as? String, "\(shown)")
        let checked = try await check(id, fixture)
        #expect(checked.code == 1 && checked.output.contains("404  \(web.url)/dead"), "\(checked)")
        let strange = try await check("00000000-0000-4000-8000-000000000000", fixture)
        #expect(strange.code == 2 && strange.errors.contains("nothing is known"), "\(strange)")
        #expect(strange.errorLines.count == 1)
    }

    @Test func `an endless site ends where it is told to`() async throws {
        let fixture = try await Fixture()
        let web = try LocalWeb()
        web.answer("/day") { request in
            let day = Int(request.path.drop { $0 != "=" }.dropFirst()) ?? 0
            return .page("<a href='/day?n=\(day + 1)'>tomorrow</a>")
        }
        let result = try await check(
            web.url + "/day", fixture, "--site", "--depth", "2", "--format", "json")
        #expect(try result.code == 0 && result.object()["pages"] as? Int == 3, "\(result)")
        let wrong = try await check(web.url + "/day", fixture, "--depth", "-1")
        #expect(wrong.code == 2 && wrong.errors.contains("--depth"), "\(wrong)")
    }
}
