import Foundation
import TestSupport
import Testing

/// `tenure impact`, `links broken` and `item delete`, as processes.
@Suite struct ImpactCommandTests {
    private func site() async throws -> (Fixture, LocalWeb, Command) {
        let fixture = try await Fixture()
        let web = try LocalWeb()
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        web.answer("/", .page("<iframe src=/frame></iframe>\n<a href=/page>A <b>page</b></a>"))
        web.answer("/page", .page("<a href=/dead?token=canary7f3e>dead</a>"))
        web.answer("/frame", .page("<p>framed"))
        web.answer("/alone", .page("<p>alone"))
        let check = try await tenure.run(
            "check", "--site", web.url + "/", "--allow", "127.0.0.1", "--workers", "1")
        #expect(check.code == 1, "\(check)")
        let alone = try await tenure.run("fetch", web.url + "/alone", "--wait")
        #expect(alone.code == 0, "\(alone)")
        return (fixture, web, tenure)
    }

    @Test func `what depends on items is told, and decides what may be deleted`() async throws {
        let (_, web, tenure) = try await site()
        let (page, frame, alone) = (web.url + "/page", web.url + "/frame", web.url + "/alone")
        let all = try await tenure.run("impact", frame, page, alone)
        #expect(all.code == 1, "\(all)")
        let words = [
            "unsafe  \(frame): 1 place, 1 break", "/:1:13: iframe /frame (breaks)",
            "safe with a redirect  \(page): 1 place", "/:2:9: anchor /page \"A page\"",
            "safe  \(alone)", "1 safe, 1 safe with a redirect, 1 unsafe",
        ]
        for word in words { #expect(all.output.contains(word), "\(word): \(all.output)") }
        let safe = try await tenure.run("impact", alone, "--json")
        #expect(try safe.code == 0 && safe.array()[0]["verdict"] as? String == "safe")
        let old = try await tenure.run("impact", frame, "--max-age", "1ms", "--json")
        #expect(try old.code == 1 && old.array()[0]["verdict"] as? String == "unknown")

        let refused = try await tenure.run("item", "delete", alone, page)
        #expect(refused.code == 1 && refused.output.contains("nothing was deleted, of 2 items"))
        #expect(try await tenure.run("item", "show", alone).code == 0)
        let deleted = try await tenure.run("item", "delete", alone)
        #expect(deleted.code == 0 && deleted.output == "deleted 1 item\n", "\(deleted)")
        let gone = try await tenure.run("item", "delete", alone)
        #expect(gone.code == 2 && gone.errorLines.count == 1 && gone.output == "", "\(gone)")
        let redirected = try await tenure.run("item", "delete", page, "--redirected")
        #expect(redirected.code == 0, "\(redirected)")
        let forced = try await tenure.run("item", "delete", frame, "--force", "--json")
        #expect(try forced.code == 1 && forced.object()["deleted"] as? Bool == true, "\(forced)")
    }

    @Test func `broken links are listed with their places, without secrets`() async throws {
        let (_, web, tenure) = try await site()
        let broken = try await tenure.run("links", "broken", "--new")
        #expect(broken.code == 1 && !broken.output.contains("canary7f3e"), "\(broken)")
        let words = [
            "404  \(web.url)/dead?token=…", "broken since", "\(web.url)/page:1:9: anchor",
            "1 broken at 1 place",
        ]
        for word in words { #expect(broken.output.contains(word), "\(word): \(broken.output)") }
        let json = try await tenure.run("links", "broken", "--since", "1h", "--json")
        #expect(try json.array().count == 1 && !json.output.contains("canary7f3e"))
        let none = try await tenure.run("links", "broken", "--since", "1ms")
        #expect(none.code == 0 && none.output == "nothing is broken\n")
    }

    @Test func `what is wrong is told in one line`() async throws {
        let fixture = try await Fixture()
        let cases: [([String], [String])] = [
            (["impact"], ["items"]), (["impact", "nonsense"], ["nonsense", "http"]),
            (["impact", "https://a.test/", "--max-age", "soon"], ["--max-age", "30d"]),
            (["impact", "https://a.test/", "--places", "-1"], ["--places"]),
            (["links", "broken", "--since", "ever"], ["--since", "7d"]),
            (["item", "delete", "https://a.test/?key=canary7f3e"], ["no item", "key=…"]),
        ]
        for (arguments, words) in cases {
            let result = try await fixture.tenure.runAll(arguments)
            #expect(result.code == 2 && result.output == "", "\(arguments)")
            #expect(result.errorLines.count == 1, "\(result.errors)")
            #expect(!result.errors.contains("canary7f3e"))
            for word in words { #expect(result.errors.contains(word), "\(result.errors)") }
        }
    }
}
