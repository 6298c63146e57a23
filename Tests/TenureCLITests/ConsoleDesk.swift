import Foundation
import Tenure
import TestSupport
import Testing

/// A console with all that a browser or a program reaches there, and the database behind it.
struct ConsoleDesk {
    let fixture: Fixture
    let tenure: Command
    private let port: UInt16
    private static let token = String(repeating: "t", count: 40)

    static func open(_ body: (ConsoleDesk) async throws -> Void) async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure.with("TENURE_CONTENT_ALLOW", "127.0.0.1")
        let port = UInt16.random(in: 30_000...32_000)
        let console = try tenure.with("TENURE_WEB_TOKEN", Self.token)
            .start("web", "--port", "\(port)")
        for _ in 0..<500 where Scrape.get(port, "/") == nil {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await body(ConsoleDesk(fixture: fixture, tenure: tenure, port: port))
        console.send(SIGTERM)
        _ = try await console.result()
    }

    func get(_ path: String, _ form: String = "application/json") throws -> Scrape.Answer {
        try #require(
            Scrape.get(
                port, path, ["Authorization: Bearer \(Self.token)", "Accept: \(form)"]))
    }

    func post(_ path: String, _ body: String) throws -> Scrape.Answer {
        try #require(
            Scrape.post(
                port, path, body,
                ["Authorization: Bearer \(Self.token)", "Accept: application/json"]))
    }

    func item(_ url: String) async throws -> String {
        try await fixture.value(
            "SELECT max(id::text) FROM content.item WHERE url = '\(url)'", as: String.self)
    }

    /// The id of an item that is fetched.
    func fetched(_ web: LocalWeb) async throws -> String {
        web.answer("/a", .page("<title>theirs</title><p>One two three four five.", "X-Of: test"))
        let item = try await tenure.run("fetch", web.url + "/a", "--wait", "--json").object()
        return try #require(item["id"] as? String)
    }
}
