import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// Checks a real site again and again, and knows what it is to find.
struct MutationBench: Sendable {
    let fixture: ContentFixture
    let site: RealSite
    let clock: TestClock
    let seed: UInt64

    /// Paths on another origin; each fails in another way.
    static let foreign = ["/missing", "/gone", "/failing", "/away"]

    struct Checked: Sendable {
        let report: CheckReport
        let start: Date
        let end: Date

        func covers(_ date: Date?) -> Bool { date.map { start <= $0 && $0 <= end } ?? false }
    }

    init(seed: UInt64) async throws {
        self.seed = seed
        fixture = try await ContentFixture("mutations")
        site = try RealSite(foreignPaths: Self.foreign)
        clock = TestClock(pool: fixture.pool)
    }

    func working(_ body: @escaping @Sendable () async throws -> Void) async throws {
        var configuration = ContentConfiguration()
        configuration.hostInterval = .zero
        try configuration.allow(["127.0.0.1"])
        try await fixture.withWorkers(2, configuration: configuration, body)
    }

    func check() async throws -> Checked {
        var options = SiteCheckOptions()
        options.contact = "tests"
        options.allowedAddresses = ["127.0.0.1"]
        options.freshSeconds = 0
        options.pauseSeconds = 0.05
        // A busy machine may take longer for any page, but not three times over.
        options.firstByteSeconds = 2
        let start = try await clock.now()
        let run = try await fixture.check.start(url: site.start, options)
        _ = try await fixture.check.wait(run, every: .milliseconds(20))
        return Checked(
            report: try await fixture.check.report(run), start: start, end: try await clock.now())
    }

    /// What the pages refer to, as the first check has stored it; and other pages for each fault.
    func plan(after first: Checked) async throws -> Faults {
        let edges = try await fixture.pool.query(
            """
            SELECT i.url, t.href, r.fragment, r.line, r."column"
            FROM content.reference r
            JOIN content.item i ON i.id = r.item JOIN content.target t ON t.id = r.target
            WHERE r.kind <> 'form'
            """
        ) { row in
            Faults.Edge(
                page: try row.decode(0), target: try row.decode(1), fragment: try row.decode(2),
                line: Int(try row.decode(3, as: Int32.self)),
                column: Int(try row.decode(4, as: Int32.self)))
        }
        return try Faults(site, edges: edges, seed: seed)
    }

    func memory(_ path: String) async throws -> Memory {
        try #require(try await Memory.of(site.web.url + path, in: fixture.pool))
    }

    // MARK: What is to be so

    func expectLines(_ checked: Checked, _ expected: Set<String>) {
        let found = Set(checked.report.lines.flatMap(Faults.split))
        #expect(found.subtracting(expected).sorted() == [], "found, and not expected")
        #expect(expected.subtracting(found).sorted() == [], "expected, and not found")
    }

    /// What is new is broken since this check and was well in the first; what isn't is as it was.
    func expectTimes(_ second: Checked, after first: Checked) {
        let known = Set(first.report.findings.map { "\($0.target)#\($0.fragment ?? "")" })
        for finding in second.report.findings {
            let isNew = !known.contains("\(finding.target)#\(finding.fragment ?? "")")
            let what = Comment(rawValue: "\(finding.code) \(finding.target) \(seed)")
            #expect((isNew ? second : first).covers(finding.firstBrokenAt), what)
            #expect(isNew ? first.covers(finding.lastOkAt) : finding.lastOkAt == nil, what)
            #expect(finding.isConfirmed != finding.target.hasPrefix(site.foreign.url), what)
        }
    }

    func expectStates(_ faults: Faults, _ first: Checked, _ second: Checked) async throws {
        for (path, code) in faults.broken {
            let memory = try await memory(path)
            #expect(memory.state == "broken" && memory.code == code, "\(path)")
            #expect(second.covers(memory.firstBrokenAt) && first.covers(memory.lastOkAt), "\(path)")
        }
        let held = try await memory(faults.held)
        #expect(held.state == "blocked" && held.firstBrokenAt == nil)
        #expect(first.covers(held.lastOkAt))
        #expect(try await memory(faults.moved).state == "redirected")
    }

    /// Suspects, on their schedule: nobody checks again, and nobody waits.
    func expectConfirmation(since second: Checked) async throws {
        func states() async throws -> [String] {
            var states: [String] = []
            for path in Self.foreign {
                let url = site.foreign.url + path
                let memory = try #require(try await Memory.of(url, in: fixture.pool))
                #expect(second.covers(memory.firstBrokenAt), "\(path)")
                states.append(memory.state)
            }
            return states
        }
        #expect(try await states() == Array(repeating: "suspect", count: 4))
        try await clock.advance(by: .seconds(600))
        try await clock.settled()
        #expect(try await states() == ["broken", "broken", "suspect", "suspect"])
        for hours in [12, 24] {
            try await clock.advance(by: .seconds(43_200 - (hours == 12 ? 600 : 0)))
            try await clock.settled()
            let rest = hours == 12 ? "suspect" : "broken"
            #expect(try await states() == ["broken", "broken", rest, rest], "after \(hours) h")
        }
    }

    func expectRecovery(_ faults: Faults, _ second: Checked, _ third: Checked) async throws {
        let urls =
            faults.broken.map { site.web.url + $0.path }
            + Self.foreign.map { site.foreign.url + $0 }
        for url in urls {
            let memory = try #require(try await Memory.of(url, in: fixture.pool))
            #expect(memory.state == "ok" && memory.failures == 0, "\(url)")
            #expect(memory.firstBrokenAt == nil && third.covers(memory.lastOkAt), "\(url)")
            let last = try #require(try await Memory.events(of: url, in: fixture.pool).last)
            #expect(last.change == "broken → ok" && third.covers(last.at), "\(url)")
        }
        let page = site.web.url + faults.page
        let events = try await Memory.events(of: page, in: fixture.pool)
            .filter { $0.change.hasSuffix("#\(faults.anchor)") }
        #expect(
            events.map(\.change) == [
                "ok → missing fragment #\(faults.anchor)",
                "missing fragment → ok #\(faults.anchor)",
            ])
        try #require(events.count == 2)
        #expect(second.covers(events[0].at) && third.covers(events[1].at))
    }
}
