import Foundation
import TenurePostgres
import TestSupport
import Testing

/// Sites from the command line: the processes do the rest.
@Suite struct SiteCommandTests {
    private func web() throws -> LocalWeb {
        let web = try LocalWeb()
        web.answer("/docs/", .page("<a href=two>two</a>"))
        web.answer("/docs/two", .page("<p>two"))
        web.answer("/sink", .status(200))
        return web
    }

    private func command(_ fixture: Fixture) -> Command {
        fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
            .with("TENURE_SECRET_HOOK", "kanary-hook")
    }

    @Test func `a coordinator and a worker tell of what breaks and what is mended`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let tenure = command(fixture)
        let (url, sink) = ("\(web.url)/docs/", "\(web.url)/sink")
        let channel = try await tenure.run(
            "notify", "add", "ops", "--webhook", sink, "--secret-env", "TENURE_SECRET_HOOK")
        #expect(channel.code == 0, "\(channel.errors)")
        let added = try await tenure.run("site", "add", url, "--every", "2s", "--notify", "ops")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.hasPrefix("watching \(url): every 2s\nfirst check: "))
        let coordinator = try tenure.start("coordinator")
        let worker = try tenure.start("worker")
        try await fixture.eventually("it is known", "SELECT known_at IS NOT NULL FROM content.site")
        let listed = try await tenure.run("site", "list", "--json").array()
        #expect(listed.first?["url"] as? String == url)
        #expect(listed.first?["everySeconds"] as? Double == 2)
        web.answer("/docs/two", .status(404))
        try await fixture.eventually(
            "it is told", "SELECT count(sent_at) = 1 FROM content.delivery")
        web.answer("/docs/two", .page("<p>two"))
        try await fixture.eventually(
            "it is told again", "SELECT count(sent_at) = 2 FROM content.delivery")
        let test = try await tenure.run("notify", "test", "ops")
        #expect(test.output.hasPrefix("arrived at ops: notice "), "\(test.errors)")
        let bodies = web.requests("/sink").map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies.count == 3)
        #expect(bodies.map { $0.contains(#""kind": "check""#) } == [true, true, false])
        #expect(web.requests("/sink").allSatisfy { $0["Tenure-Signature"] != nil })
        for process in [worker, coordinator] {
            process.send(SIGTERM)
            #expect(try await process.result().code == 0)
        }
    }

    @Test func `a site is added, shown, paused, resumed, checked and removed`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let tenure = command(fixture)
        let url = "\(web.url)/docs/"
        #expect(try await tenure.run("site", "list").output.hasPrefix("no sites are watched"))
        let added = try await tenure.run(
            "site", "add", url, "--cron", "0 3 * * *", "--zone", "Europe/Berlin", "--depth", "3",
            "--strict", "--no-foreign", "--fresh", "0s", "--interval", "5ms", "--timeout", "10s")
        #expect(added.code == 0, "\(added.errors)")
        #expect(try await tenure.run("site", "add", url).errors.contains("watched already"))
        let shown = try await tenure.run("site", "show", url, "--json").object()
        #expect(shown["cron"] as? String == "0 3 * * *")
        #expect(shown["state"] as? String == "not checked yet")
        let id = try #require(shown["id"] as? String)
        #expect(try await tenure.run("site", "pause", id).output == "paused \(id)\n")
        #expect(try await tenure.run("site", "show", id).output.contains("paused by"))
        #expect(try await tenure.run("site", "resume", url).code == 0)
        #expect(try await tenure.run("site", "resume", url).code == 1)
        let check = try await tenure.run("site", "check", url)
        #expect(check.output.hasPrefix("started check "), "\(check.errors)")
        let busy = try await tenure.run("site", "check", url)
        #expect(busy.code == 2 && busy.errors.contains("still runs"))
        let worker = try tenure.start("worker")
        try await fixture.eventually(
            "it ends", "SELECT count(finished_at) = 1 FROM content.site_check")
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        let removed = try await tenure.run("site", "remove", url, "--items")
        #expect(removed.output == "removed \(url)\ndeleted 2 items\n", "\(removed.errors)")
        #expect(try await tenure.run("site", "show", url).errors.contains("site list"))
        #expect(try await fixture.value("SELECT count(*) FROM tenure.schedule") == Int64(0))
    }

    @Test func `a coordinator has items fetched that are due, and the site says how it stands`()
        async throws
    {
        let (fixture, web) = (try await Fixture(), try web())
        let tenure = command(fixture)
        let url = "\(web.url)/docs/"
        let added = try await tenure.run(
            "site", "add", url, "--refetch", "--refetch-min", "30m", "--refetch-max", "7d",
            "--discover")
        #expect(added.code == 0, "\(added.errors)")
        let worker = try tenure.start("worker")
        _ = try await tenure.run("fetch", "\(url)two", "--wait")
        try await fixture.pool.simple("UPDATE content.item SET due_at = now()")
        let shown = try await tenure.run("site", "show", url).output
        #expect(shown.contains("every 30m to 7d"), "\(shown)")
        #expect(shown.contains("1 now, 0 enqueued"), "\(shown)")
        let coordinator = try tenure.start("coordinator")
        try await fixture.eventually(
            "it is fetched again",
            "SELECT bool_and(due_at > now() AND enqueued_at IS NULL) FROM content.item")
        #expect(web.requests("/docs/two").count == 2)
        let refetch = try await tenure.run("site", "show", url, "--json").object()["refetch"]
        let fields = try #require(refetch as? [String: Any])
        #expect(fields["minSeconds"] as? Double == 1800 && fields["due"] as? Int == 0)
        #expect(fields["discovers"] as? Bool == true && fields["nextAt"] is String)
        for process in [worker, coordinator] {
            process.send(SIGTERM)
            #expect(try await process.result().code == 0)
        }
    }

    @Test func `items that others depend on stay, and are named`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let tenure = command(fixture)
        web.answer("/", .page("<link rel=stylesheet href=/docs/two>"))
        let url = "\(web.url)/docs/"
        let checked = try await tenure.run("check", "--site", "\(web.url)/", "--workers", "1")
        #expect(checked.code == 0, "\(checked.errors)")
        _ = try await tenure.run("site", "add", url)
        _ = try await tenure.run("check", "--site", url, "--workers", "1")
        let removed = try await tenure.run("site", "remove", url, "--items")
        #expect(removed.code == 1, "\(removed.errors)")
        #expect(removed.output.contains("\(web.url)/docs/two"))
        #expect(removed.output.contains("nothing was deleted, of 2 items"))
    }

    @Test func `a channel that answered 410 is a warning of the doctor's`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let tenure = command(fixture)
        web.answer("/sink", .status(410))
        let added = try await tenure.run("notify", "add", "ops", "--webhook", "\(web.url)/sink")
        #expect(added.code == 0 && added.errors.contains("isn't signed"))
        let worker = try tenure.start("worker")
        let test = try await tenure.run("notify", "test", "ops")
        #expect(test.code == 1 && test.output.contains("410"), "\(test.output)\(test.errors)")
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        let told = try await tenure.run("doctor", "--quiet").output
        #expect(told.contains("notices: channel ops is paused"), "\(told)")
        #expect(told.contains("tenure notify resume ops"))
        let listed = try await tenure.run("notify", "list")
        #expect(listed.output.contains("paused: its address answered 410"))
        let resumed = try await tenure.run("notify", "resume", "ops")
        #expect(resumed.output == "resumed ops: 1 notice sent again\n")
        #expect(try await tenure.run("notify", "remove", "ops").output == "removed ops\n")
        #expect(try await tenure.run("notify", "list").output.hasPrefix("no channels"))
    }

    @Test func `a site that can't be read is named, and removed by its id`() async throws {
        let fixture = try await Fixture()
        let tenure = command(fixture)
        for path in ["a", "b"] {
            let url = "http://127.0.0.1/\(path)/"
            #expect(try await tenure.run("site", "add", url, "--allow", "127.0.0.1").code == 0)
        }
        let id: String = try await fixture.value(
            """
            UPDATE content.site SET options = '[]' WHERE url = 'http://127.0.0.1/a/'
            RETURNING id::text
            """)
        let listed = try await tenure.run("site", "list")
        #expect(listed.code == 0 && listed.output.contains("http://127.0.0.1/b/"))
        #expect(listed.errorLines.count == 1, "\(listed.errors)")
        #expect(listed.errors.contains("http://127.0.0.1/a/ can't be read: options"))
        #expect(listed.errors.contains("tenure site remove \(id)"))
        let sites = try await tenure.run("site", "list", "--json").array()
        #expect(sites.map { $0["state"] as? String } == ["unreadable", "not checked yet"])
        #expect(try await tenure.run("site", "remove", id).code == 0)
        #expect(try await tenure.run("site", "list").errors.isEmpty)
    }

    @Test(.enabled(if: MailServer.isInstalled))
    func `a channel of mail is added, tried and listed, without its password`() async throws {
        let fixture = try await Fixture()
        let (tenure, server) = (command(fixture), try MailServer("--login", "ada:kanary-hook"))
        let added = try await tenure.run(
            "notify", "add", "docs", "--mail", "docs@example.org", "--from", "tenure@example.org",
            "--server", server.url, "--user", "ada", "--secret-env", "TENURE_SECRET_HOOK")
        #expect(added.code == 0 && added.errors.isEmpty, "\(added.errors)")
        let worker = try tenure.start("worker")
        let test = try await tenure.run("notify", "test", "docs")
        #expect(test.code == 0, "\(test.output)\(test.errors)")
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
        let mail = try #require(try server.messages.first)
        #expect(mail.user == "ada" && mail.recipient == "docs@example.org")
        #expect(mail.headers["subject"] == "Tenure: a test notice")
        let listed = try await tenure.run("notify", "list")
        #expect(listed.output.contains("docs@example.org by \(server.url)"))
        let channel = try #require(try await tenure.run("notify", "list", "--json").array().first)
        #expect(channel["kind"] as? String == "mail" && channel["user"] as? String == "ada")
        #expect(channel["to"] as? String == "docs@example.org")
        for text in [listed.output, test.output, try await worker.result().errors] {
            #expect(!text.contains("kanary-hook"))
        }
    }

    private static let url = "http://127.0.0.1/"

    private static func mail(
        _ more: String..., to: String = "a@b.test", server: String = "smtp://b.test"
    ) -> [String] {
        ["notify", "add", "ops", "--mail", to, "--from", "c@b.test", "--server", server] + more
    }

    private static let refused: [(arguments: [String], words: [String])] = [
        (["site", "add", url], ["127.0.0.1", "--allow"]),
        (["site", "add", "https://a.test/"], ["--contact"]),
        (["site", "add", "ftp://a.test/"], ["http"]),
        (["site", "add", url, "--every", "soon"], ["--every", "soon", "1d"]),
        (["site", "add", url, "--every", "10ms"], ["--every", "1s"]),
        (["site", "add", url, "--every", "1d", "--cron", "@daily"], ["one of them"]),
        (["site", "add", url, "--zone", "UTC"], ["--cron"]),
        (["site", "add", url, "--discover"], ["--discover needs --refetch"]),
        (["site", "add", url, "--refetch-max", "1d"], ["--refetch-max needs --refetch"]),
        (["site", "add", url, "--refetch", "--refetch-min", "soon"], ["--refetch-min", "6h"]),
        (["site", "add", url, "--refetch", "--refetch-min", "5s"], ["5s to 30d", "1m to 365d"]),
        (["site", "add", url, "--refetch", "--refetch-max", "30m"], ["1h to 30m", "1m to 365d"]),
        (
            ["site", "add", url, "--allow", "127.0.0.1", "--cron", "61 * * * *"],
            ["cron minute", "0 to 59"]
        ),
        (
            ["site", "add", url, "--allow", "127.0.0.1", "--cron", "@daily", "--zone", "Mars"],
            ["Mars", "Europe/Berlin"]
        ),
        (["site", "add", url, "--allow", "127.0.0.1", "--notify", "x"], ["x", "notify list"]),
        (["site", "add", url, "--allow", "nonsense"], ["nonsense"]),
        (["site", "add", url, "--timeout", "0s"], ["--timeout", "10s"]),
        (["site", "add", url, "--depth", "-1"], ["--depth", "0 or more"]),
        (["site", "show", "nonsense"], ["http"]),
        (["site", "check", url], ["site list"]),
        (["site", "remove", "https://a.test/"], ["site list"]),
        (["notify", "add", "ops"], ["--webhook", "--slack", "--mail"]),
        (["notify", "add", "o ps", "--webhook", url], ["o ps", "letters"]),
        (["notify", "add", "ops", "--webhook", "mailto:a@b"], ["http"]),
        (
            ["notify", "add", "ops", "--webhook", url, "--secret-env", "PATH"],
            ["PATH", "TENURE_SECRET_"]
        ),
        (
            ["notify", "add", "ops", "--webhook", url, "--secret-file", "/etc/passwd"],
            ["/etc/passwd", "without a path"]
        ),
        (["notify", "add", "ops", "--slack", "https://a.test/{secret}"], ["--secret-env"]),
        (["notify", "add", "o", "--slack", "https://hooks.slack.com/T/B"], ["{secret}"]),
        (["notify", "add", "ops", "--mail", "a@b.test"], ["--from", "--server smtp://host:587"]),
        (["notify", "add", "ops", "--webhook", url, "--plain"], ["--plain", "--mail"]),
        (mail(to: "nobody"), ["\"nobody\"", "ops@example.org"]),
        (mail(to: "ö@b.test"), ["ö@b.test", "ASCII"]),
        (mail(to: "a@b.test\r\nBcc: c@d.test"), ["is no address"]),
        (mail(server: "http://b.test"), ["http://b.test", "smtp://host:587"]),
        (mail(server: "smtp://u:p@b.test"), ["…@b.test", "--user"]),
        (mail("--user", "ada"), ["--user", "--secret-env"]),
        (mail("--secret-env", "TENURE_SECRET_A"), ["--user", "--secret-env"]),
        (mail("--user", "ada", "--plain", "--secret-env", "TENURE_SECRET_A"), ["in the open"]),
        (mail("--plain", server: "smtps://b.test"), ["smtps", "--plain"]),
        (["notify", "test", "nobody"], ["nobody", "notify list"]),
        (["notify", "test", "ops", "--timeout", "x"], ["--timeout", "10s"]),
        (["notify", "resume", "nobody"], ["nobody"]),
        (["notify", "remove", "nobody"], ["nobody"]),
    ]

    @Test func `bad flags are told in one line, with what to give`() async throws {
        let tenure = try await Fixture().tenure
        for (arguments, words) in Self.refused {
            let result = try await tenure.runAll(arguments)
            #expect(result.code == 2, "\(arguments): \(result.output)")
            #expect(result.errorLines.count == 1, "\(arguments): \(result.errors)")
            for word in words {
                #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
            }
        }
    }
}
