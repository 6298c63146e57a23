import Foundation
import TestSupport
import Testing

@testable import TenureCLI

/// Rules from the command line, through workers that are processes.
@Suite struct RuleCommandTests {
    private func web() throws -> LocalWeb {
        let web = try LocalWeb()
        web.answer("/docs/", .page("<a href=two>two</a> <a href=gone>g</a> <a href=a.zip>z</a>"))
        web.answer("/docs/two", .status(403))
        return web
    }

    private func command(_ fixture: Fixture) -> Command {
        fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
            .with("TENURE_SECRET_RULES", "kanary-rules")
    }

    private func file(_ text: String) throws -> String {
        let path = NSTemporaryDirectory() + "/\(UUID().uuidString).yaml"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func `a check goes by the rules of a file, and tells what they silence`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let rules = try file(
            """
            exclude: "*.zip"
            requests: [{to: \(web.url), headers: {X-Preview: env:TENURE_SECRET_RULES}}]
            ignore: [{target: "*/gone", reason: comes back, until: 9999-12-31}]
            """)
        defer { unlink(rules) }
        let url = "\(web.url)/docs/"
        let run = try await command(fixture).run("check", "--site", url, "--rules", rules)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let name = (rules as NSString).lastPathComponent
        #expect(run.output.contains("1 ignored by \(name):3: comes back ("), "\(run.output)")
        #expect(run.output.contains("1 URL left out by the rules\n"), "\(run.output)")
        #expect(web.requests("/docs/a.zip").isEmpty)
        #expect(web.requests("/docs/").map { $0["X-Preview"] } == ["kanary-rules"])
        #expect(!(run.output + run.errors).contains("kanary-rules"))
        let flags = try await command(fixture).run(
            "check", "--site", url, "--exclude", "*.zip", "--accept", "403,404", "--header",
            "Accept-Language: de", "--user-agent", "Mozilla/5.0", "--no-fragments",
            "--foreign-fragments", "--no-text-fragments", "--insecure-links", "--moved")
        #expect(flags.code == 0, "\(flags.output)\(flags.errors)")
        #expect(flags.output.contains("2 URLs well by what the rules accept"), "\(flags.output)")
        let last = try #require(web.requests("/docs/").last)
        #expect(last["Accept-Language"] == "de")
        #expect(last["User-Agent"]?.hasPrefix("Mozilla/5.0 Tenure/") == true)
    }

    @Test func `a file says how deep, and a flag says otherwise`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        web.answer("/docs/two", .page("<a href=three>3</a>"))
        let rules = try file("depth: 0\nexclude: ['*.zip', '*/gone']\n")
        defer { unlink(rules) }
        let arguments = ["check", "--site", "\(web.url)/docs/", "--rules", rules]
        let shallow = try await command(fixture).start(arguments).result()
        #expect(shallow.code == 0, "\(shallow.output)\(shallow.errors)")
        #expect(web.requests("/docs/three").isEmpty)
        let deep = try await command(fixture).start(arguments + ["--depth", "1"]).result()
        #expect(deep.code == 1 && deep.output.contains("/docs/three"), "\(deep.errors)")
    }

    @Test func `with a mistake in the file nothing is checked`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let rules = try file("exclude: ['*.zip']\nacept: 403\n")
        defer { unlink(rules) }
        for arguments in [
            ["check", "--site", "\(web.url)/docs/", "--rules", rules],
            ["site", "add", "\(web.url)/docs/", "--rules", rules],
        ] {
            let run = try await command(fixture).start(arguments).result()
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(
                run.errors.hasPrefix("tenure: \(rules):2:1: unknown key \"acept\"; did you mean "),
                "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        #expect(web.requests.isEmpty)
        #expect(try await fixture.value("SELECT count(*) FROM content.site_check") == Int64(0))
    }

    @Test func `a site keeps its rules, shows them, and changes them`() async throws {
        let (fixture, web) = (try await Fixture(), try web())
        let tenure = command(fixture)
        let url = "\(web.url)/docs/"
        let rules = try file(
            """
            accept: [{status: 403, at: "\(web.url)/*"}]
            requests: [{to: "\(web.url)", cookies: {session: env:TENURE_SECRET_RULES}}]
            """)
        let others = try file("exclude: ['*']\n")
        defer { for path in [rules, others] { unlink(path) } }
        let added = try await tenure.run("site", "add", url, "--rules", rules, "--depth", "3")
        #expect(added.code == 0, "\(added.errors)")
        unlink(rules)
        let shown = try await tenure.run("site", "show", url)
        #expect(shown.output.contains("403 at \(web.url)/*"), "\(shown.output)")
        #expect(shown.output.contains("cookie session from env:TENURE_SECRET_RULES"))
        let worker = try tenure.start("worker")
        _ = try await tenure.run("site", "check", url)
        try await fixture.eventually(
            "it ends", "SELECT count(finished_at) = 1 FROM content.site_check")
        #expect(web.requests("/docs/two").map { $0["Cookie"] } == ["session=kanary-rules"])
        let changed = try await tenure.run(
            "site", "change", url, "--rules", others, "--no-strict", "--json")
        #expect(changed.code == 0, "\(changed.errors)")
        let kept = try #require(try changed.object()["rules"] as? [String: Any])
        #expect(kept["exclude"] as? [String] == ["*"])
        #expect((kept["accept"] as? [Any])?.isEmpty == true)
        #expect(try await tenure.run("site", "show", url).output.contains("depth"))
        _ = try await tenure.run("site", "check", url)
        try await fixture.eventually(
            "it ends", "SELECT count(finished_at) = 2 FROM content.site_check")
        #expect(web.requests("/docs/two").count == 1 && web.requests("/docs/").count == 2)
        let dropped = try await tenure.run("site", "change", url, "--no-rules")
        #expect(dropped.code == 0 && !dropped.output.contains("exclude"), "\(dropped.output)")
        worker.send(SIGTERM)
        #expect(try await worker.result().code == 0)
    }

    private static let url = "http://127.0.0.1/"
    private static let refused: [(arguments: [String], words: [String])] = [
        (["check", url, "--accept", "4O3"], ["4O3", "403"]),
        (["check", url, "--accept", ""], ["403"]),
        (["check", url, "--exclude", ""], ["--exclude", "1 to 1000"]),
        (["check", url, "--include", "a b"], ["--include", "%20"]),
        (["check", url, "--header", "nonsense"], ["--header", "colon"]),
        (["check", url, "--header", "Authorization: Bearer kanary-x"], ["env:TENURE_SECRET_NAME"]),
        (["check", url, "--header", "X-A: env:TENURE_SECRET_A"], ["--rules", "to:"]),
        (["check", url, "--user-agent", "ü"], ["ASCII"]),
        (["check", url, "--rules", "/nonsense"], ["--rules /nonsense", "isn't there"]),
        (["check", url, "--rules", "/"], ["is a directory"]),
        (["site", "change", url], ["--rules"]),
        (["site", "change", url, "--no-rules", "--rules", "x"], ["--no-rules", "leave"]),
        (["site", "change", url, "--depth", "1"], ["site list"]),
    ]

    @Test(arguments: refused.indices)
    func `bad input is refused in one line`(index: Int) async throws {
        let (arguments, words) = Self.refused[index]
        let run = try await command(try await Fixture()).start(arguments).result()
        #expect(run.code == 2, "\(run)")
        let line = run.errors.split(separator: "\n").first ?? ""
        for word in words { #expect(line.contains(word), "\(run.errors)") }
        #expect(!run.errors.contains("kanary"))
    }
}
