import ArgumentParser
public import Content
import Tenure
import TenureFoundation

struct LinksBroken: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "broken", abstract: "List what is broken, with every place that refers to it.",
        discussion: """
            From what is remembered of all checks and fetches; nobody is asked. Only what is \
            confirmed is broken, and only what a live item refers to is listed.

            Example:
              tenure links broken
              tenure links broken --new --since 24h --json

            Exit codes: 0 nothing is broken, 1 something is, 2 could not do it.
            """)

    @Flag(help: "Only what broke lately.") var new = false
    @Option(help: "How lately; implies --new. (default: 7d)") var since: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags
    static let schemas = MigrationSet.all

    func checkInput() throws { _ = try age() }

    func report(_ database: Database) async throws -> BrokenReport {
        let (links, ignored) = try await BrokenLinks(pool: database.pool).look(newerThan: age())
        if ignored > 0 {
            Terminal.error("tenure: \(ignored) more are ignored; see tenure links ignored")
        }
        return BrokenReport(links: links)
    }

    private func age() throws -> Duration? {
        guard let since else { return new ? .seconds(7 * 86_400) : nil }
        guard let time = DurationText.parse(since), time > .zero else {
            throw Failure("--since is \"\(since)\"; give a time such as 24h or 7d")
        }
        return time
    }
}

/// What is broken, and where it stands. URLs are without secrets.
struct BrokenReport: Report {
    let links: [BrokenLink]

    func encode(to encoder: any Encoder) throws { try links.encode(to: encoder) }
    var hasFindings: Bool { !links.isEmpty }

    var text: String {
        if links.isEmpty { return "nothing is broken" }
        let places = links.reduce(0) { $0 + $1.places.count }
        let counts = "\(links.count) broken at \(CountText.of(places, "place"))"
        return (links.map(Self.block) + [counts]).joined(separator: "\n\n")
    }

    private static func block(_ link: BrokenLink) -> String {
        let fragment = link.fragment.map { "#\($0)" } ?? ""
        let weight = link.isHard ? " (breaks the page)" : ""
        let since = link.brokenSince.map { "broken since \(TimeText.full($0))" }
        let ok = link.lastOkAt.map { "last ok \(TimeText.full($0))" }
        let times = [since, ok].compactMap(\.self).joined(separator: ", ")
        let title = "\(link.code)  \(URLRedaction.text(link.target))\(fragment)\(weight)"
        let places = link.places.map { place in
            let text = place.text.map { " \"\($0.replacing("\n", with: " "))\"" } ?? ""
            return "    \(URLRedaction.text(place.page)):\(place.line):\(place.column): "
                + "\(place.kind) \(URLRedaction.reference(place.raw))\(text)"
        }
        return ([title] + (times.isEmpty ? [] : ["    " + times]) + places)
            .map { Terminal.harmless($0) }.joined(separator: "\n")
    }
}

extension BrokenLink: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "target": URLRedaction.text(target), "code": code, "status": status,
            "fragment": fragment, "brokenSince": brokenSince, "lastOkAt": lastOkAt,
            "isHard": isHard, "places": places,
        ])
    }
}

extension LinkPlace: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "page": URLRedaction.text(page), "line": line, "column": column, "kind": kind,
            "isHard": isHard, "raw": URLRedaction.reference(raw), "text": text,
        ])
    }
}
