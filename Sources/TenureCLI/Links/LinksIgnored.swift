import ArgumentParser
import Content
import Tenure

struct LinksIgnored: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignored", abstract: "List which findings don't count, who said so and why.",
        discussion: """
            Rules that have ended are listed, too, until tenure links unignore removes them.

            Example:
              tenure links ignored --json
            """)

    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let rules = try await Database.product(common) { database in
            try await IgnoreRules(pool: database.pool).list()
        }
        Terminal.output(
            json ? try JSONText.encode(rules.map(IgnoreOutput.init)) : Self.text(rules))
    }

    private static func text(_ rules: [IgnoreRule]) -> String {
        if rules.isEmpty { return "nothing is ignored" }
        var table = Table("id", "target", "code", "page", "by", "until", "reason")
        for rule in rules {
            let until = rule.until.map { rule.hasEnded ? "\($0) (ended)" : $0 }
            table.add(
                rule.id.map { "\($0)" }, rule.target, rule.code, rule.page, rule.madeBy, until,
                rule.reason)
        }
        return table.text
    }
}
