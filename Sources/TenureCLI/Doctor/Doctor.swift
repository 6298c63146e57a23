import ArgumentParser
import Logging
import Tenure

struct Doctor: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check that the database can keep the queue's promises.",
        discussion: """
            Looks at the connection, the server's settings, rights, clocks, long transactions, \
            dead rows, leases, schedules, stuck handlers, notices, LISTEN and what grows. Each \
            line is ok, warn or fail, with what to do. Ends with 0 when all is well, with 1 after \
            a warning, with 2 after a failure.

            Example:
              tenure doctor --quiet
              tenure doctor --json
            """)

    @Flag(help: "Only what isn't ok.") var quiet = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let settings = try await common.settings(logLevel: .critical)
        let findings = try await Database.with(settings) { database in
            await Examination(database).run()
        }
        let shown = quiet ? findings.filter { $0.level != .ok } : findings
        try Terminal.report(Examined(findings: shown), json: json)
        switch findings.map(\.level).max() ?? .ok {
        case .ok: return
        case .warn: throw ExitCode(Exit.findings)
        case .fail: throw ExitCode(Exit.failed)
        }
    }
}

/// One thing that was looked at.
struct Finding: Encodable, Sendable {
    enum Level: Int, Encodable, Comparable {
        case ok, warn, fail

        var name: String { "\(self)" }
        static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
        func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
    }

    let check: String
    let level: Level
    let message: String
    /// What to do about it.
    @OrNull var advice: String?

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, level: .ok, message: message, advice: nil)
    }

    static func warn(_ check: String, _ message: String, _ advice: String) -> Finding {
        Finding(check: check, level: .warn, message: message, advice: advice)
    }

    static func fail(_ check: String, _ message: String, _ advice: String) -> Finding {
        Finding(check: check, level: .fail, message: message, advice: advice)
    }

    var line: String {
        let mark = level.name + String(repeating: " ", count: 6 - level.name.count)
        return mark + ErrorLine.oneLine("\(check): \(message)" + (advice.map { ". \($0)" } ?? ""))
    }
}

struct Examined: Report {
    let findings: [Finding]

    func encode(to encoder: any Encoder) throws { try findings.encode(to: encoder) }
    var text: String { findings.map(\.line).joined(separator: "\n") }
}
