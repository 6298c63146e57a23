import Content
import Foundation
import Testing

@testable import TenureCLI

@Suite struct FolderServerTests {
    private static let long = String(repeating: "x", count: 300_000)

    /// A folder with a page, a subfolder and rules.
    private func withSite(
        _ rules: String = #"{"redirects": {"/a": ["/b"]}, "statuses": {"/gone": 410}}"#,
        _ body: (SiteFolder) async throws -> Void
    ) async throws {
        try await withFolder { root in
            try FileManager.default.createDirectory(
                atPath: "\(root)/sub dir", withIntermediateDirectories: true)
            let files = [
                "index.html": "<title>x</title>", "sub dir/a.txt": Self.long, "_site.json": rules,
            ]
            for (name, text) in files {
                try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)"))
            }
            try await body(SiteFolder(root))
        }
    }

    private func get(
        _ url: String, _ path: String, host: String? = nil, method: String = "GET"
    ) throws -> String {
        let port = try #require(URL(string: url)?.port)
        let client = try #require(RawClient(port))
        let host = (host ?? "127.0.0.1:PORT").replacing("PORT", with: "\(port)")
        client.send("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        return client.receive()
    }

    @Test func `a name that isn't this machine's gets nothing`() async throws {
        try await withSite { folder in
            try await FolderServer(folder).serve { url in
                for host in ["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT"] {
                    let answer = try get(url, "/index.html", host: host)
                    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("<title>"))
                }
                for host in ["evil.example", "evil.example:PORT", "127.0.0.1", "localhost:1"] {
                    let answer = try get(url, "/index.html", host: host)
                    #expect(answer.hasPrefix("HTTP/1.1 421 "), "\(host)")
                    #expect(!answer.contains("<title>"), "\(host)")
                }
            }
        }
    }

    @Test func `files, folders, rules and what isn't there`() async throws {
        try await withSite { folder in
            try await FolderServer(folder).serve { url in
                let page = try get(url, "/")
                #expect(page.hasSuffix("<title>x</title>"))
                #expect(page.lowercased().contains("content-type: text/html\r\n"))
                let long = try get(url, "/sub%20dir/a.txt")
                #expect(long.hasSuffix(Self.long))
                let head = try get(url, "/sub%20dir/a.txt", method: "HEAD").lowercased()
                #expect(head.contains("content-length: 300000\r\n") && head.hasSuffix("\r\n\r\n"))
                let moved = try get(url, "/sub%20dir").lowercased()
                #expect(moved.hasPrefix("http/1.1 301 "))
                #expect(moved.contains("location: /sub%20dir/\r\n"))
                #expect(try get(url, "/a").lowercased().contains("location: /b\r\n"))
                let lines = try [
                    "/a", "/gone", "/_site.json", "/missing", "/../../etc/passwd",
                    "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
                ].map { try get(url, $0).split(separator: " ")[1] }
                #expect(lines == ["302", "410", "404", "404", "404", "404", "404"])
                #expect(try get(url, "/", method: "POST").hasPrefix("HTTP/1.1 405 "))
            }
        }
    }

    @Test(arguments: [
        #"{"statuses": {"/a": 99999}}"#, #"{"statuses": {"/a": -1}}"#,
        #"{"redirects": {"/a": ["/b", 9223372036854775807]}}"#, #"{"delays": {"/a": 1e300}}"#,
        #"{"delays": {"/a": -1}}"#, #"{"statuses": 1}"#,
    ])
    func `rules that no answer can keep are refused`(rules: String) async throws {
        try await withSite(rules) { folder in
            #expect(throws: ContentError.self) { try FolderServer(folder) }
        }
    }

    @Test func `a port that is taken is no hindrance`() async throws {
        try await withSite { folder in
            let server = try FolderServer(folder)
            try await server.serve { url in
                try await server.serve { other in #expect(other != url) }
            }
        }
    }
}
