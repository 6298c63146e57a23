import Content
import Foundation
import TestSupport
import Testing

@testable import TenureCLI

/// What `tenure check` may be given to check, as a process.
@Suite struct CheckInputTests {
    /// A repository of Markdown, and two pages of a site.
    private static let files = [
        "README.md": "# Read me\n[a](docs/a.md#second) [up](docs/a.md#nothing)\n",
        "docs/a.md": "# First\n## Second\n[back](../README.md#read-me) [gone](gone.md)\n",
        "docs/b.md": "[a](a.md#second) [code](../src/x.swift) ![p](/docs/p.png) [h](../.env)\n",
        "docs/p.png": "p", "src/x.swift": "let x = 1\n", ".env": "SECRET=1\n",
        "public/index.html": "<a href=other.html#x>o</a> <a href=no.html>n</a>",
        "public/other.html": "<p id=x>x</p><a href=../README.md>r</a>",
        "urls.txt": "# ours\nREADME.md\n\ndocs/a.md\n",
    ]

    private func withRepository<Result>(
        _ body: (Command, String) async throws -> Result
    ) async throws -> Result {
        let fixture = try await Fixture()
        return try await withFolder { folder in
            for (name, text) in Self.files {
                let file = URL(filePath: "\(folder)/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            var tenure = fixture.tenure
            tenure.folder = folder
            return try await body(tenure, folder)
        }
    }

    private func places(_ result: Command.Result) throws -> [String] {
        let findings = try result.object()["findings"] as? [[String: Any]] ?? []
        return findings.flatMap { finding in
            let name = finding["file"] ?? finding["target"] ?? ""
            let fragment = (finding["fragment"] as? String).map { "#\($0)" } ?? ""
            return (finding["places"] as? [[String: Any]] ?? []).map { place in
                let page = place["file"] ?? place["page"] ?? ""
                return "\(name)\(fragment) at \(page):\(place["line"] ?? 0)"
            }
        }
    }

    private func inputs(_ result: Command.Result) throws -> [String] {
        (try result.object()["inputs"] as? [[String: Any]] ?? []).map { input in
            "\(input["name"] ?? "") \(input["pages"] ?? "")"
        }
    }

    @Test func `files that link to one another are one check, each once`() async throws {
        try await withRepository { tenure, folder in
            let result = try await tenure.run(
                "check", "docs/a.md", "README.md", "./docs/../README.md", "\(folder)/docs/b.md",
                "--format", "json")
            #expect(result.code == 1, "\(result)")
            #expect(
                try places(result) == [
                    "docs/a.md#nothing at README.md:2", "docs/gone.md at docs/a.md:3",
                ])
            #expect(
                try inputs(result) == [
                    "docs/a.md 1", "README.md 1", "./docs/../README.md 0", "\(folder)/docs/b.md 1",
                ])
            #expect(try result.object()["pages"] as? Int == 3)
            let text = try await tenure.run("check", "docs/a.md", "README.md")
            #expect(text.output.contains("    docs/a.md:3:30: anchor gone.md"), "\(text)")
            #expect(text.output.contains("docs/a.md, README.md: 2 pages"), "\(text)")
        }
    }

    @Test func `folders, patterns, lists and URLs are one check`() async throws {
        let web = try LocalWeb()
        web.answer("/", .page("<a href=/dead>dead</a> <a href=/next>next</a>"))
        web.answer("/next", .page("<a href=/gone>gone</a>"))
        try await withRepository { tenure, _ in
            let result = try await tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1").run(
                "check", "public", "docs/**/[ab].md", "urls.txt", web.url + "/", "--allow",
                "127.0.0.1", "--format", "json")
            #expect(result.code == 1, "\(result)")
            #expect(
                try places(result).sorted()
                    == [
                        "\(web.url)/dead at \(web.url)/:1", "docs/a.md#nothing at README.md:2",
                        "docs/gone.md at docs/a.md:3", "public/no.html at public/index.html:1",
                    ].sorted())
            #expect(
                try inputs(result) == [
                    "public 2", "docs/**/[ab].md 2", "urls.txt 1", "\(web.url)/ 1",
                ])
        }
    }

    @Test func `with --site every URL's site is followed`() async throws {
        let (one, two) = (try LocalWeb(), try LocalWeb())
        one.answer("/a/", .page("<a href=/a/b>b</a> <a href=\(two.url)/c/>c</a> <a href=/x>x</a>"))
        one.answer("/a/b", .page("<a href=/dead>dead</a>"))
        one.answer("/x", .page("<a href=/not-followed>n</a>"))
        two.answer("/c/", .page("<a href=d>d</a>"))
        two.answer("/c/d", .page("<a href=/gone>gone</a>"))
        let fixture = try await Fixture()
        let result = try await fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1").run(
            "check", one.url + "/a/", two.url + "/c/", "--site", "--allow", "127.0.0.1", "--format",
            "json")
        #expect(result.code == 1, "\(result)")
        #expect(
            try places(result).sorted()
                == [
                    "\(one.url)/dead at \(one.url)/a/b:1", "\(two.url)/gone at \(two.url)/c/d:1",
                ].sorted())
        #expect(try result.object()["pages"] as? Int == 4)
    }

    @Test func `of a broken URL its line in the list is shown, and in a sitemap`() async throws {
        let web = try LocalWeb()
        web.answer("/a", .page("<a href=/dead>d</a>"))
        try await withRepository { tenure, folder in
            let tenure = tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
            let list = "# ours\n\(web.url)/gone # not there\n\n\(web.url)/a\n"
            let read = try await tenure.run(
                "check", "-", "--allow", "127.0.0.1", "--format", "json", input: list)
            #expect(
                try places(read) == [
                    "\(web.url)/dead at \(web.url)/a:1", "\(web.url)/gone at -:2",
                ])
            let sitemap = """
                <?xml version="1.0"?>
                <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
                <url><loc>\(web.url)/a</loc></url>
                <url><loc>\(web.url)/gone</loc></url>
                </urlset>
                """
            try Data(sitemap.utf8).write(to: URL(filePath: "\(folder)/sitemap.xml"))
            let named = try await tenure.run(
                "check", "sitemap.xml", "--allow", "127.0.0.1")
            #expect(named.code == 1, "\(named)")
            #expect(named.output.contains("sitemap.xml:4:1: list \(web.url)/gone"), "\(named)")
            try Data("<rss/>".utf8).write(to: URL(filePath: "\(folder)/feed.xml"))
            let other = try await tenure.run("check", "feed.xml")
            #expect(other.code == 2 && other.errors.contains("is no sitemap; give"), "\(other)")
        }
    }

    @Test func `a check begins at a site's sitemap, and at those that it names`() async throws {
        let web = try LocalWeb()
        func answer(_ path: String, _ type: String, _ body: String) {
            web.answer(
                path, LocalWeb.Answer(headers: ["Content-Type: \(type)"], body: Array(body.utf8)))
        }
        answer(
            "/sitemap.xml", "application/xml",
            "<sitemapindex>"
                + ["pages.xml", "sitemap-feed.xml", "cut.xml.gz"].map {
                    "<sitemap><loc>\(web.url)/\($0)</loc></sitemap>\n"
                }.joined() + "</sitemapindex>")
        answer(
            "/pages.xml", "text/html",
            "<urlset><url><loc>\(web.url)/a</loc></url>\n"
                + "<url><loc>\(web.url)/no</loc></url></urlset>")
        answer("/sitemap-feed.xml", "application/rss+xml", "<rss><channel/></rss>")
        web.answer("/cut.xml.gz", LocalWeb.Answer(body: [0x1F, 0x8B, 8, 0]))
        web.answer("/a", .page("<a href=/dead>d</a>"))
        let fixture = try await Fixture()
        let result = try await fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1").run(
            "check", web.url + "/sitemap.xml", "--allow", "127.0.0.1", "--format", "json")
        #expect(result.code == 1, "\(result)")
        #expect(
            try places(result) == [
                "\(web.url)/cut.xml.gz at \(web.url)/sitemap.xml:3",
                "\(web.url)/dead at \(web.url)/a:1",
                "\(web.url)/no at \(web.url)/pages.xml:2",
                "\(web.url)/sitemap-feed.xml at \(web.url)/sitemap.xml:2",
            ])
    }

    @Test func `a list comes by standard input`() async throws {
        try await withRepository { tenure, folder in
            let list = "\u{FEFF}# ours\r\nREADME.md\r\n\r\ndocs/*.md\r\n"
            let result = try await tenure.run("check", "-", "--format", "json", input: list)
            #expect(try inputs(result) == ["- 3"], "\(result)")
            let twice = try await tenure.run("check", "-", "--list", "-", input: list)
            #expect(twice.code == 2 && twice.errors.contains("standard input is read once"))
            let file = try await tenure.run(
                "check", "--list", "urls.txt", "docs/a.md", "--format", "json")
            #expect(try inputs(file) == ["docs/a.md 1", "urls.txt 1"], "\(file)")
        }
    }

    @Test func `links with a slash at their start lead to --root`() async throws {
        try await withRepository { tenure, folder in
            try Data("<a href=/public/index.html>i</a><a href=/other.html>o</a>".utf8)
                .write(to: URL(filePath: "\(folder)/public/slash.html"))
            let usual = try await tenure.run("check", "public/slash.html", "--format", "json")
            #expect(try places(usual) == ["other.html at public/slash.html:1"], "\(usual)")
            let rooted = try await tenure.run(
                "check", "public/slash.html", "--root", "public", "--format", "json")
            #expect(try places(rooted) == ["public/index.html at slash.html:1"], "\(rooted)")
            let other = try await tenure.run("check", "README.md", "--root", "public")
            #expect(other.code == 2 && other.errors.contains("isn't in --root public"), "\(other)")
        }
    }

    /// One line each, and no database was written to, nor made.
    @Test func `what can't be checked is refused before anything is written`() async throws {
        try await withFolder { folder in
            let manager = FileManager.default
            for name in ["empty", "docs"] {
                try manager.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            let files = [
                "a.md": "a", "docs/p.png": "", "none.txt": "# nothing\n", "x.pdf": "",
                "bad.txt": "a.md\nhttp://ok.test/\nhttp:// no\n", "gone.txt": "\n\ngone.md\n",
                "nul.txt": "a.md\na\0.md\n", "lists.txt": "a.md\nnone.txt\n",
            ]
            for (name, text) in files {
                try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
            try manager.createSymbolicLink(
                atPath: "\(folder)/loop.md", withDestinationPath: "loop.md")
            var tenure = Command()
            tenure.folder = folder
            let long = String(repeating: "*", count: 10_000)
            for (arguments, words) in [
                (["gone.md"], "neither a file, a folder nor a URL"), (["empty"], "no Markdown"),
                (["none.txt"], "names nothing"), (["x.pdf"], "no document"),
                (["bad.txt"], "bad.txt:3:"), (["--list", "gone.txt"], "gone.txt:3: gone.md is"),
                (["lists.txt"], "lists.txt:2: none.txt names what is to be checked"),
                (["nul.txt"], "nul.txt:2:"), (["pipe"], "neither a file nor a folder"),
                (["--list", "pipe"], "neither a file nor a folder"),
                (["loop.md"], "symbolic links"),
                (["nowhere/*.md"], "matches no file"), (["docs/*"], "none of them HTML"),
                (["docs/[a"], "no pattern"), ([long], "longer than 4096"), ([""], "neither"),
                (["--list", "docs"], "is no file"), (["--list", "gone"], "isn't there"),
                (["a.md", "http://u:p@host/"], "user or password"), (["-"], "names nothing"),
            ] {
                let result = try await tenure.runAll(["check"] + arguments)
                let said = "\(arguments): \(result)"
                #expect(result.code == 2 && result.errors.contains(words), "\(said)")
                #expect(result.errorLines.count == 1 && result.output.isEmpty, "\(said)")
            }
            #expect(!manager.fileExists(atPath: "\(folder)/.tenure"))
        }
    }

    /// Of what else lies in the folder that is served, nothing can be read but documents.
    @Test func `a file that isn't checked is there, and says nothing`() async throws {
        try await withRepository { _, folder in
            let gathered = try GatheredInputs(
                ["README.md", "docs/a.md"].map { name in
                    NamedInput(
                        name: name, places: [.file(try InputPath.real("\(folder)/\(name)"))])
                }, root: nil, in: try InputPath.real(folder))
            let served = try #require(gathered.folder)
            #expect(served.answer("/.env") == .list && served.answer("/src/x.swift") == .list)
            #expect(served.answer("/docs/b.md") == .file("\(served.path)/docs/b.md"))
            #expect(served.answer("/docs/") == .list && served.answer("/docs") == .folder)
            #expect(served.answer("/gone.md") == .missing)
        }
    }
}
