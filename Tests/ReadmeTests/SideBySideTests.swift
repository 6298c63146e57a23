import Tenure
import TenureCoordinator
import TenureFoundation
import TenureSystem
import Testing

/// What docs/side-by-side.md says of its code is so: the lines are counted, and ours works.
/// Its test (`ChargeOrderTest.swift`) is one here, too.
@Suite struct SideBySideTests {
    @Test func `the tables have the lines of the code above them`() throws {
        let parts = try Self.parts()
        #expect(parts.count == 5)
        for part in parts {
            #expect(part.said == part.counted, "\(part.title)")
            #expect(part.counted["Tenure"] != nil, "\(part.title)")
        }
    }

    @Test func `an order that isn't placed is not charged`() async throws {
        let pool = try await openShop()
        let client = TenureClient(pool: pool)
        try await place(7, pool, client)
        await #expect(throws: PostgresError.self) { try await place(7, pool, client) }
        #expect(try await pool.query("SELECT 1 FROM tenure.job") == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the program charges what was placed, and ends when it is asked to`() async throws {
        let conninfo = try await makeShop()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await place(7, pool, TenureClient(pool: pool))
        await #expect(processExitsWith: .success) { [conninfo = conninfo as String] in
            let gateway = TestGateway()
            let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
            let schedules = Schedules(pool: pool, as: "test")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await runShop(conninfo, gateway) }
                while gateway.charged.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
                while try await schedules.status(of: "overdue") == nil {
                    try await Task.sleep(for: .milliseconds(20))
                }
                kill(getpid(), SIGTERM)
                try await group.waitForAll()
            }
        }
        #expect(try await pool.query("SELECT 1 FROM orders WHERE charged_at IS NOT NULL") == 1)
    }

    // MARK: The page

    /// What is shown under one heading, by library.
    private struct Part {
        let title: String
        var counted: [String: Int] = [:]
        var said: [String: Int] = [:]
    }

    private static func parts() throws -> [Part] {
        let page = DocumentationTests.root.appending(path: "docs/side-by-side.md")
        var parts = [Part(title: "before the first heading")]
        var code: (library: String, lines: Int)?
        for line in try DocumentationTests.lines(of: page) {
            if line == "```", let shown = code {
                parts[parts.count - 1].counted[shown.library] = shown.lines
                code = nil
            } else if code != nil {
                if counts(line) { code?.lines += 1 }
            } else if line.hasPrefix("```") {
                code = (library: library(of: line), lines: 0)
            } else if line.hasPrefix("## ") {
                parts.append(Part(title: line))
            } else if line.hasPrefix("| lines |") {
                parts[parts.count - 1].said = figures(in: line)
            }
        }
        return parts.filter { !$0.counted.isEmpty }
    }

    /// Neither blank nor a comment of Swift, Go or Elixir.
    private static func counts(_ line: String) -> Bool {
        !line.isEmpty && !line.hasPrefix("//") && !line.hasPrefix("# ")
    }

    /// The fence of others' code names them: "```go River".
    private static func library(of fence: String) -> String {
        fence.split(separator: " ").dropFirst().first.map(String.init) ?? "Tenure"
    }

    /// A dash is no figure.
    private static func figures(in row: String) -> [String: Int] {
        let cells = row.split(separator: "|").dropFirst()
            .map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        let pairs = zip(["Tenure", "swift-jobs", "River", "Oban"], cells)
        return Dictionary(
            pairs.compactMap { library, cell in Int(cell).map { (library, $0) } },
            uniquingKeysWith: { first, _ in first })
    }
}
