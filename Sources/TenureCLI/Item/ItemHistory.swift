import ArgumentParser
import Content
import Tenure

struct ItemHistory: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show an item's versions and fetches, the newest first.",
        discussion: """
            Example:
              tenure item history https://example.org/ --limit 10
            """)

    @Argument(help: "The item's URL or id.") var item: String
    @Option(help: "At most so many of each, 1 to 10000.") var limit = 20
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); give 1 to 10000")
        }
    }

    private struct Output: Encodable {
        let versions: [ItemVersionOutput]
        let fetches: [ItemFetchOutput]
    }

    func execute() async throws {
        let settings = try await common.settings()
        let (name, limit) = (item, limit)
        let (versions, fetches) = try await Database.items(settings) { items in
            guard let found = try await items.item(ItemName(name)) else {
                throw Failure.noItem(name)
            }
            return (
                try await items.versions(of: found, limit: limit),
                try await items.fetches(of: found, limit: limit)
            )
        }
        if json {
            let output = Output(
                versions: versions.map(ItemVersionOutput.init),
                fetches: fetches.map(ItemFetchOutput.init))
            return Terminal.output(try JSONText.encode(output))
        }
        Terminal.output(Self.versions(versions) + "\n\n" + Self.fetches(fetches))
    }

    private static func versions(_ versions: [ItemVersion]) -> String {
        if versions.isEmpty { return "no versions" }
        var table = Table("version", "made", "by", "changed", "words", "title")
        for version in versions {
            table.add(
                "\(version.number)", TimeText.full(version.madeAt), version.madeBy ?? "a fetch",
                version.changed.joined(separator: ", "), "\(version.words)", version.title)
        }
        return table.text
    }

    private static func fetches(_ fetches: [ItemFetchRecord]) -> String {
        if fetches.isEmpty { return "no fetches" }
        var table = Table(
            "asked", "mode", "outcome", "code", "status", "bytes", "dns", "connect", "tls",
            "first byte", "total")
        for fetch in fetches {
            func time(_ seconds: Double?) -> String? {
                seconds.map { DurationText.format(.seconds($0)) }
            }
            table.add(
                TimeText.full(fetch.askedAt), fetch.mode, fetch.outcome.rawValue, fetch.code,
                fetch.status.map(String.init), fetch.bytes.map(String.init), time(fetch.dns),
                time(fetch.connect), time(fetch.tls), time(fetch.firstByte), time(fetch.total))
        }
        return table.text
    }
}
