import Foundation
import Testing

/// How long things are kept can be set in three ways, within bounds.
@Suite struct RetentionSettingTests {
    @Test(arguments: [
        ("keep-checks", "KEEP_CHECKS", "keepChecks", "23h"),
        ("keep-events", "KEEP_EVENTS", "keepEvents", "11y"),
        ("keep-notices", "KEEP_NOTICES", "keepNotices", "6d"),
        ("keep-candidates", "KEEP_CANDIDATES", "keepCandidates", "soon"),
        ("keep-versions", "KEEP_VERSIONS", "keepVersions", "1h"),
        ("versions-per-item", "VERSIONS_PER_ITEM", "versionsPerItem", "0"),
    ])
    func `what can't be is refused by its name, from wherever it comes`(
        flag: String, variable: String, name: String, value: String
    ) async throws {
        let fixture = try await Fixture()
        let file = FileManager.default.temporaryDirectory
            .appending(path: "tenure-keep-\(UUID().uuidString).json")
        try Data(#"{"content": {"\#(name)": "\#(value)"}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }  // a test's own
        let tenure = fixture.tenure
        for result in [
            try await tenure.run("worker", "--\(flag)", value),
            try await tenure.with("TENURE_CONTENT_\(variable)", value).run("worker"),
            try await tenure.run("worker", "--config", file.path),
        ] {
            #expect(result.code == 2)
            #expect(result.errorLines.count == 1, "\(result.errors)")
            #expect(result.errors.contains("content.\(name) is \"\(value)\""), "\(result.errors)")
        }
    }
}
