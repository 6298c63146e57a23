import Content
import TenureFoundation
import TestSupport
import Testing

/// A folder of Markdown, as a repository is.
@Suite struct MarkdownFolderTests {
    private func folder(_ files: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "tenure-markdown-\(UUID().uuidString)").path()
        for (name, text) in files {
            let file = URL(filePath: "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return folder
    }

    @Test func `links to files and to headings of other files are checked`() async throws {
        let folder = try folder([
            "README.md": """
            # Read me
            [here](#read-me) [docs](docs) [docs](docs/) [b](docs/b.md#second-part)
            [code](Sources/a.swift#L3) ![pic](pic.png) [gone](docs/gone.md)
            [heading](docs/b.md#third) [up](/docs/b.md) <a href="docs/c.md">c</a>
            [case](DOCS/b.md) https://elsewhere.example/x
            """,
            "docs/b.md": "# First\n\n## Second part\n\n[back](../README.md#nothing)\n",
            "Sources/a.swift": "let a = 1\n",
            ".github/x.md": "[a](nowhere.md)\n",
            "node_modules/p/README.md": "[a](nowhere.md)\n",
            "docs/page.html": "<a href=nowhere.html>n</a>\n",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = try await ContentFixture("markdown")
        let report = try await fixture.checkFolder(folder)
        #expect(
            report.lines == [
                "404 DOCS/b.md at README.md:5:1", "404 docs/c.md at README.md:4:54",
                "404 docs/gone.md at README.md:3:44", "404 pic.png at README.md:3:28",
                "missingFragment README.md#nothing at docs/b.md:5:1",
                "missingFragment docs/b.md#third at README.md:4:1",
            ])
        #expect(report.pages == 2 && report.isComplete)
    }

    @Test func `a site with Markdown beside its pages is a site`() async throws {
        let folder = try folder([
            "index.html": "<a href=notes.md>n</a> <a href=sub/>s</a>",
            "notes.md": "[gone](gone.md)\n", "sub/x.txt": "x",
        ])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = try await ContentFixture("site")
        let report = try await fixture.checkFolder(folder)
        #expect(report.pages == 1)
        #expect(report.lines.contains("404 sub/index.html at index.html:1:32"))
    }

    @Test func `somebody's Markdown is read by nobody`() async throws {
        let bench = try await SiteBench("foreign")
        bench.web.answer("/docs/", .page("<a href=a.md#none>a</a>"))
        let markdown = LocalWeb.Answer(
            headers: ["Content-Type: text/markdown"], body: Array("[gone](gone.md)\n".utf8))
        bench.web.answer("/docs/a.md", markdown)
        let check = try await bench.fixture.check.start(url: bench.url, SiteBench.options)
        let report = try await bench.withWorkers {
            _ = try await bench.fixture.check.wait(check, every: .milliseconds(20))
            return try await bench.fixture.check.report(check)
        }
        #expect(report.findings.isEmpty)
    }
}
