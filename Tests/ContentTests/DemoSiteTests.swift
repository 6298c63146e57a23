import Content
import Foundation
import Tenure
import TenureCLI
import Testing

@Suite struct DemoSiteTests {
    /// Every fault of the site, and nothing else.
    static let faults = [
        "404 colours.css at style.css:1:10",
        "404 guide/changes.html at guide/upgrade.html:10:22 guide/upgrade.html:10:68",
        "404 images/logo@2x.svg at news/2025.html:11:62",
        "404 images/paper.png at style.css:2:25",
        "404 images/team.png at team.html:10:14",
        "404 jobs.html at about.html:12:50",
        "404 reference/epsilon.html at reference/index.html:14:42",
        "404 scripts/backup.js at guide/backup.html:11:14",
        "410 gone.html at guide/backup.html:10:55",
        "410 old-backup at guide/backup.html:10:13",
        "badURL // at odd/index.html:14:10",
        "badURL http://[::1 at odd/index.html:13:10",
        "missingFragment guide/settings.html#colour at guide/install.html:11:63",
        "missingFragment moved.html#there at news/2026.html:10:59",
        "missingFragment reference/café.html#missing one at reference/café.html:10:89",
        "redirectLoop loop-a at new-place.html:10:34 new-place.html:11:10",
    ]

    @Test func `a check finds every fault and nothing else`() async throws {
        let report = try await ContentFixture("demo").checkFolder(demoSite)
        #expect(report.lines == Self.faults)
        #expect(report.isComplete)
        #expect(report.skippedForContact == 1)
        #expect(report.findings.allSatisfy { $0.isConfirmed })
    }

    @Test func `three workers find what one finds`() async throws {
        let report = try await ContentFixture("demo").checkFolder(demoSite, workers: 3)
        #expect(report.lines == Self.faults)
    }

    @Test func `a foreign target is a suspect first, and broken at once when strict`() async throws
    {
        var options = SiteCheckOptions()
        options.contact = "https://example.org/bot"
        options.pauseSeconds = 0.01
        let fixture = try await ContentFixture("demo")
        let report = try await fixture.checkFolder(demoSite, options)
        let suspects = report.findings.filter { !$0.isConfirmed }
        #expect(suspects.map(\.target) == ["https://nowhere.invalid/contact?a=1&b=2"])
        options.strict = true
        let strict = try await fixture.checkFolder(demoSite, options)
        #expect(strict.confirmed.count == Self.faults.count + 1)
    }

    @Test func `a page that is too slow is a finding once a limit says so`() async throws {
        // As many seconds as no other page takes, however busy the machine.
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "tenure-slow-\(UUID().uuidString)").path
        try FileManager.default.copyItem(atPath: demoSite, toPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // a temporary one
        let rules = "\(folder)/_site.json"
        let text = try String(contentsOfFile: rules, encoding: .utf8)
        try text.replacing("3.0", with: "30.0")
            .write(toFile: rules, atomically: true, encoding: .utf8)
        var options = SiteCheckOptions()
        options.firstByteSeconds = 15
        options.looks = 1
        let report = try await ContentFixture("demo").checkFolder(folder, options)
        let slow = "timeoutFirstByte slow.html at index.html:20:14"
        #expect(report.lines == (Self.faults + [slow]).sorted())
    }

    @Test func `a second check of the same site remembers the first`() async throws {
        let fixture = try await ContentFixture("demo")
        let folder = try SiteFolder(demoSite)
        let check = fixture.check
        try await FolderServer(folder).serve { url in
            try await fixture.withWorkers(
                configuration: try ContentFixture.servesFolders
            ) {
                for _ in 0..<2 {
                    let run = try await check.start(folder: folder, servedAt: url)
                    _ = try await check.wait(run, every: .milliseconds(50))
                    let report = try await check.report(run)
                    #expect(report.lines == Self.faults)
                }
            }
        }
        let failures = try await fixture.pool.query(
            "SELECT failures FROM content.target WHERE href LIKE '%/jobs.html'"
        ) { try $0.decode(0, as: Int32.self) }
        #expect(failures == [2])
    }
}
