import Foundation
import Testing

@testable import Tenure
@testable import TenureCLI

@Suite struct TopTests {
    @Test func `without a terminal it prints a line at every look`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        _ = try await tenure.run("enqueue", "demo-fail", "--queue", "mail")
        let lines = try await tenure.run("top", "--count", "2", "--interval", "200ms")
        #expect(lines.code == 0)
        #expect(lines.output.split(separator: "\n").count == 2)
        #expect(lines.output.contains("due 1 running 0"))
        let json = try await tenure.run("top", "--count", "2", "--interval", "200ms", "--json")
        let objects = try json.output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        try #require(objects.count == 2)
        #expect(objects[0]?["perSecond"] is NSNull)
        #expect(objects[1]?["perSecond"] is [String: Any])
    }

    @Test(arguments: ["q", "SIGINT", "SIGTERM"])
    func `it fills a terminal and gives it back as it was`(end: String) async throws {
        let fixture = try await Fixture()
        _ = try await fixture.tenure.run("enqueue", "demo-fail", "--queue", "mail")
        let terminal = try PseudoTerminal(columns: 80, rows: 24)
        let top = try RunningCommand(
            fixture.tenure, ["top", "--interval", "200ms"], terminal: terminal)
        var seen = ""
        try await eventually("the screen is there") {
            seen += terminal.read()
            return seen.contains("mail") && seen.contains("q quits")
        }
        #expect(!terminal.isCooked)
        switch end {
        case "q": terminal.press("q")
        case "SIGINT": top.send(SIGINT)
        default: top.send(SIGTERM)
        }
        let code = try await top.result().code
        #expect(code == (end == "q" ? 0 : 3))
        seen += terminal.read()
        #expect(terminal.isCooked)
        #expect(seen.contains("\u{1B}[?1049l") && seen.contains("\u{1B}[?25h"))
    }

    @Test func `a screen has no line too long and no line too many`() throws {
        let queue = { (name: String) in
            QueueStatus(
                name: QueueName(name), pausedAt: nil, pausedBy: nil, maxRunning: 5,
                capacity: nil, due: 1_234_567,
                later: 9_999_999, waiting: 4, held: 3, running: 10_000, oldestDue: Date(),
                workers: 12)
        }
        let view = TopView(
            at: Date(), rates: nil, queues: (0..<90).map { queue("a-queue-of-a-long-name-\($0)") },
            sessions: [], pausedKinds: [])
        for size in [TopScreen.Size(), .init(columns: 40, rows: 10), .init(columns: 200, rows: 60)]
        {
            let lines = TopScreen(view, .seconds(2)).lines(size)
            #expect(lines.count <= size.rows)
            #expect(lines.allSatisfy { $0.count <= size.columns })
            #expect(lines.contains { $0.contains("more queues") })
        }
    }
}
