import Foundation
import Tenure
import TestSupport
import Testing

/// Reports in files, two checks compared, findings that don't count: as processes.
@Suite struct CheckReportTests {
    private func check(
        _ web: LocalWeb, _ tenure: Command, _ more: String...
    ) async throws -> Command.Result {
        try await tenure.runAll(
            ["check", "--site", web.url + "/", "--allow", "127.0.0.1", "--format", "json"] + more)
    }

    private func id(_ result: Command.Result) throws -> String {
        try #require(try result.object()["check"] as? String)
    }

    @Test func `one run prints a report and writes others, which a baseline leaves its part of`()
        async throws
    {
        let tenure = try await Fixture().tenure
        let web = try LocalWeb()
        web.answer("/", .page("<a href=/dead>dead</a>"))
        try await withFolder { folder in
            let result = try await check(
                web, tenure, "--report", "sarif=\(folder)/a.sarif", "--report",
                "html=\(folder)/a.html", "--report", "github=\(folder)/a.txt")
            #expect(result.code == 1, "\(result)")
            #expect((try result.object()["findings"] as? [Any])?.count == 1)
            for (file, words) in [
                ("a.sarif", #""ruleId" : "404""#), ("a.html", "1 finding at 1 place"),
                ("a.txt", "::error title=404%3A"),
            ] {
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                #expect(text.contains(words), "\(file)")
            }
            for more in [["x=y"], ["sarif=\(folder)"], ["sarif=\(folder)/no/x"]] {
                let refused = try await tenure.runAll(["check", web.url + "/", "--report"] + more)
                #expect(refused.code == 2 && refused.errorLines.count == 1, "\(refused)")
            }
        }
    }

    @Test func `what is ignored doesn't count until its day, and is told of`() async throws {
        let fixture = try await Fixture()
        let (tenure, web) = (fixture.tenure, try LocalWeb())
        web.answer("/", .page("<a href=/dead>dead</a>"))
        #expect(try await check(web, tenure).code == 1)
        let ignore = try await tenure.run(
            "links", "ignore", "*/dead", "--code", "404", "--reason", "they move", "--until",
            "2999-12-31", "--by", "ada", "--json")
        #expect(ignore.code == 0, "\(ignore)")
        let id = try #require(try ignore.object()["id"] as? Int)
        let clean = try await check(web, tenure)
        #expect(clean.code == 0, "\(clean)")
        let ignored = try clean.object()["ignored"] as? [[String: Any]]
        let rule = ignored?.first?["rule"] as? [String: Any]
        #expect(rule?["madeBy"] as? String == "ada" && rule?["reason"] as? String == "they move")
        let broken = try await tenure.run("links", "broken")
        #expect(broken.code == 0 && broken.errors.contains("1 more are ignored"), "\(broken)")
        #expect(try await tenure.run("links", "ignored").output.contains("they move"))
        try await fixture.pool.simple("UPDATE content.ignore_rule SET until = '2026-01-31'")
        let ended = try await check(web, tenure)
        #expect(try ended.code == 1 && (ended.object()["endedRules"] as? [Any])?.count == 1)
        #expect(try await tenure.run("links", "ignored").output.contains("(ended)"))
        #expect(try await tenure.run("links", "unignore", "\(id)").code == 0)
        #expect(try await tenure.run("links", "unignore", "\(id)").code == 1)
        for bad in [["--until", "soon"], ["--until", "2020-01-01"], ["--reason", " "]] {
            let refused = try await tenure.runAll(
                ["links", "ignore", "*", "--reason", "r"] + bad)
            #expect(refused.code == 2 && refused.errorLines.count == 1, "\(refused)")
        }
    }

    @Test func `two checks are compared; what is newly broken ends with 1`() async throws {
        let tenure = try await Fixture().tenure
        let web = try LocalWeb()
        web.answer("/", .page("<a href=/old>old</a>"))
        let before = try id(try await check(web, tenure))
        web.answer("/", .page("<a href=/new>new</a>"))
        let after = try id(try await check(web, tenure))
        let text = try await tenure.run("check", "--compare", before, after)
        #expect(text.code == 1 && text.output.contains("1 newly broken, 1 mended, 0 still broken"))
        #expect(text.output.contains("NEWLY BROKEN\n\n404  \(web.url)/new"), "\(text)")
        let json = try await tenure.run(
            "check", "--format", "json", "--compare", after, after)
        #expect(
            try json.code == 0 && (json.object()["staying"] as? [Any])?.count == 1, "\(json)")
        let sarif = try await tenure.run("check", "--compare", before, after, "--format", "sarif")
        #expect(sarif.output.contains(#""baselineState" : "absent""#), "\(sarif)")
        let html = try await tenure.run("check", "--compare", before, after, "--format", "html")
        #expect(html.output.contains("Newly broken</h2>"))
        for bad in [
            [before], [before, after, after], [before, "x"], [before, UUID().uuidString],
            [before, after, "--format", "csv"], [before, after, "--report", "junit=x"],
            [before, after, "--baseline", "x"],
        ] {
            let refused = try await tenure.runAll(["check", "--compare"] + bad)
            #expect(refused.code == 2 && refused.errorLines.count == 1, "\(bad): \(refused)")
        }
    }
}
