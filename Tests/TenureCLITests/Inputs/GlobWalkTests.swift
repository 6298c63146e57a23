import Foundation
import Testing

@testable import TenureCLI

@Suite struct GlobWalkTests {
    private func withFiles<Result>(
        _ files: [String: String], _ body: (String) throws -> Result
    ) async throws -> Result {
        try await withFolder { folder in
            for (name, text) in files {
                let file = URL(filePath: "\(folder)/\(name)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            return try body(folder)
        }
    }

    private func files(
        _ pattern: String, in folder: String, _ options: GlobWalk.Options = .init()
    ) throws -> [String] {
        try GlobWalk("\(folder)/\(pattern)", options).files()
            .map { String($0.dropFirst(folder.count + 1)) }
    }

    private static let repository = [
        ".git/HEAD": "", ".git/info/exclude": "local.md\n", ".gitignore": "/build\n*.tmp.md\n",
        "README.md": "", "docs/a.md": "", "docs/.gitignore": "gen/\n!kept.tmp.md\n",
        "docs/gen/x.md": "", "docs/kept.tmp.md": "", "docs/b.tmp.md": "", "docs/deep/c.md": "",
        "build/d.md": "", "local.md": "", ".github/e.md": "", "docs/picture.png": "",
    ]

    @Test func `a link that leads out of what the pattern names is no file of it`() async throws {
        let there = ["docs/a.md": "", "private/b.md": "", "docs/c.txt": ""]
        try await withFiles(there) { folder in
            for (link, file) in [
                ("docs/out.md", "../private/b.md"), ("docs/in.md", "a.md"),
                ("docs/text.md", "c.txt"), ("docs/gone.md", "nothing.md"),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(link)", withDestinationPath: file)
            }
            #expect(try files("docs/*.md", in: folder) == ["docs/a.md", "docs/in.md"])
            #expect(try files("**/out.md", in: folder) == ["docs/out.md"])
        }
    }

    @Test func `without regard to case, a pattern still begins with dots`() throws {
        let options = GlobWalk.Options(ignoresCase: true)
        #expect(try GlobWalk("./docs/*.MD", options).base == ".")
        #expect(try GlobWalk("../../docs/*.MD", options).base == "../..")
    }

    @Test func `hidden files and what Git leaves out stay out unless asked for`() async throws {
        try await withFiles(Self.repository) { folder in
            let usual = ["README.md", "docs/a.md", "docs/deep/c.md", "docs/kept.tmp.md"]
            #expect(try files("**/*.md", in: folder) == usual)
            #expect(try files("docs/**/*.md", in: folder) == Array(usual.dropFirst()))
            let hidden = GlobWalk.Options(showsHidden: true)
            #expect(try files("**/*.md", in: folder, hidden) == [".github/e.md"] + usual)
            #expect(try files(".github/*.md", in: folder) == [".github/e.md"])
            let all = try files("**/*.md", in: folder, .init(readsIgnoreFiles: false))
            #expect(all.count == usual.count + 4 && all.contains("build/d.md"))
            #expect(try files("build/*", in: folder) == ["build/d.md"])
            #expect(try files("DOCS/A.*", in: folder, .init(ignoresCase: true)) == ["docs/a.md"])
            #expect(try files("nowhere/*", in: folder) == [])
            #expect(try files("docs/pic*", in: folder) == ["docs/picture.png"])
        }
    }

    @Test func `links lead nowhere twice, and what is no file is none`() async throws {
        try await withFiles(["a/b.md": "", "c.md": ""]) { folder in
            let manager = FileManager.default
            try manager.createSymbolicLink(
                atPath: "\(folder)/a/loop", withDestinationPath: folder)
            try manager.createSymbolicLink(
                atPath: "\(folder)/self.md", withDestinationPath: "self.md")
            try manager.createSymbolicLink(
                atPath: "\(folder)/linked.md", withDestinationPath: "c.md")
            #expect(mkfifo("\(folder)/pipe.md", 0o600) == 0)
            #expect(try files("**/*.md", in: folder) == ["a/b.md", "c.md", "linked.md"])
            #expect(try files("a/loop/*.md", in: folder) == ["a/loop/c.md", "a/loop/linked.md"])
        }
    }

    @Test func `what is no pattern is one line`() {
        let failure = #expect(throws: Failure.self) { try GlobWalk("docs/[a", .init()) }
        #expect(failure?.description.contains("'docs/[a' is no pattern: a [ without its ]") == true)
    }
}
