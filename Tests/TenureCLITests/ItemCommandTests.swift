import Foundation
import TestSupport
import Testing

/// The commands about items, as processes, with a worker and a web server of the test's own.
@Suite struct ItemCommandTests {
    private func page(_ title: String) -> LocalWeb.Answer {
        .page("<title>\(title)</title><p>One two three four five.", "Set-Cookie: id=canary7f3e")
    }

    @Test func `an item is fetched, shown, edited and kept as it was edited`() async throws {
        let fixture = try await Fixture()
        let web = try LocalWeb()
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let url = web.url + "/a?token=canary7f3e"
        web.answer("/a", page("theirs"))
        let fetched = try await tenure.run("fetch", url, "--wait", "--json")
        #expect(fetched.code == 0, "\(fetched.errors)")
        let item = try fetched.object()
        #expect(item["outcome"] as? String == "stored" && item["title"] as? String == "theirs")
        #expect(item["url"] as? String == web.url + "/a?token=…")
        let id = try #require(item["id"] as? String)

        let edited = try await tenure.run("item", "edit", id, "--set", "title=mine", "--by", "ada")
        #expect(edited.code == 0 && edited.output.contains("mine  [set by ada"))
        web.answer("/a", page("newer"))
        let again = try await tenure.run("fetch", url, "--wait", "--force")
        #expect(again.code == 0 && again.output.contains("mine"), "\(again)")

        let shown = try await tenure.run("item", "show", url)
        #expect(shown.output.contains("title") && shown.output.contains("mine"))
        let text = try await tenure.run("item", "show", id, "--text")
        #expect(text.output == "One two three four five.\n")
        let history = try await tenure.run("item", "history", id)
        #expect(history.output.contains("ada") && history.output.contains("a fetch"))
        let story = try await tenure.run("item", "history", id, "--json").object()
        #expect((story["versions"] as? [Any])?.count == 3)
        #expect((story["fetches"] as? [Any])?.count == 2)
        let list = try await tenure.run("item", "list", "--outcome", "stored", "--json").array()
        #expect(list.map { $0["id"] as? String } == [id])
        let off = try await tenure.run("item", "list", "--words", "three")
        #expect(off.code == 2 && off.errors.contains("tenure item words on"), "\(off)")
        let on = try await tenure.run("item", "words", "on")
        #expect(on.code == 0 && on.output.contains("can be searched"), "\(on)")
        let byWords = try await tenure.run("item", "list", "--words", "mine", "--json").array()
        #expect(byWords.map { $0["id"] as? String } == [id])
        let none = try await tenure.run("item", "list", "--words", "mine -mine")
        #expect(none.code == 0 && none.output == "no items\n", "\(none)")
        let status = try await tenure.run("item", "words", "status", "--json").object()
        #expect(status["isOn"] as? Bool == true)
        #expect(try await tenure.run("item", "words", "off").output.contains("is off"))
        let jobs = try await tenure.run("job", "list", "--finished")
        let job = try #require(
            try await tenure.run("job", "list", "--finished", "--json").array().first)
        let told = try await tenure.run("job", "show", job["id"] as? String ?? "")
        for output in [fetched, edited, again, shown, text, history, jobs, told] {
            #expect(!(output.output + output.errors).contains("canary7f3e"))
        }
    }

    @Test func `a page that was only checked has no words and no version`() async throws {
        let fixture = try await Fixture()
        let web = try LocalWeb()
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let url = web.url + "/a"
        web.answer("/a", page("checked"))
        let check = try await tenure.run(
            "check", "--site", url, "--allow", "127.0.0.1", "--workers", "1")
        #expect(check.code == 0, "\(check)")
        let listed = try #require(try await tenure.run("item", "list", "--json").array().first)
        #expect(listed["url"] as? String == url)
        #expect(listed["words"] is NSNull && listed["version"] is NSNull)
        let line = try await tenure.run("item", "list").output.split(separator: "\n").last
        let cells = line?.split(separator: " ").map(String.init) ?? []
        #expect(cells.prefix(6) == [url, "stored", "200", "-", "-", "checked"])
        let shown = try await tenure.run("item", "show", url).output
        #expect(!shown.contains("version") && !shown.contains("words"))

        #expect(try await tenure.run("fetch", url, "--wait", "--force").code == 0)
        let kept = try #require(try await tenure.run("item", "list", "--json").array().first)
        #expect(kept["words"] as? Int == 5 && kept["version"] as? Int == 1)
    }

    @Test func `a fetch that brings nothing ends with 1, and says why`() async throws {
        let fixture = try await Fixture()
        let web = try LocalWeb()
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let missing = try await tenure.run("fetch", web.url + "/none", "--wait")
        #expect(missing.code == 1 && missing.output.contains("failed (404)"), "\(missing)")
    }

    @Test func `what is wrong is told in one line`() async throws {
        let fixture = try await Fixture()
        let cases: [([String], [String])] = [
            (["item", "show", "https://a.test/?key=canary7f3e"], ["nothing is known", "key=…"]),
            (["item", "show", "nonsense"], ["nonsense", "http"]),
            (["item", "list", "--outcome", "odd"], ["--outcome", "stored"]),
            (["item", "list", "--limit", "0"], ["1 to 10000"]),
            (["item", "edit", "https://a.test/", "--set", "title"], ["--set", "field=value"]),
            (["item", "edit", "https://a.test/", "--set", "words=1"], ["words", "siteName"]),
            (["item", "edit", "https://a.test/"], ["nothing to edit"]),
            (
                ["fetch", "https://a.test/", "--proxy", "nonsense"],
                ["content.proxy", "http://host"]
            ),
            (["fetch", "https://a.test/", "--crl-file", "/none"], ["content.crlFile", "PEM"]),
            (
                ["fetch", "https://a.test/", "--proxy", "http://p:1", "--proxy-naming", "odd"],
                ["proxyNaming", "here, proxy"]
            ),
        ]
        for (arguments, words) in cases {
            let result = try await RunningCommand(fixture.tenure, arguments, input: nil).result()
            #expect(result.code == 2 && result.output == "", "\(arguments)")
            #expect(result.errorLines.count == 1, "\(result.errors)")
            #expect(!result.errors.contains("canary7f3e"))
            for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
        }
    }

    @Test func `requests go through the proxy that is set`() async throws {
        let fixture = try await Fixture()
        let proxy = try LocalWeb()
        let tenure = fixture.tenure.with(
            "TENURE_CONTENT_PROXY", "http://me:pw@127.0.0.1:\(proxy.port)"
        )
        .with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let job = try tenure.start("fetch", "http://127.0.0.1:9/", "--wait")
        let end = ContinuousClock.now + .seconds(60)
        while proxy.requests.isEmpty, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
        }
        job.send(SIGTERM)
        // "me:pw", to the proxy alone; the tunnel leads to the host.
        #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic bWU6cHc=")
        #expect(proxy.requests.first?.path == "127.0.0.1:9")
    }
}
