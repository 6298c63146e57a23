import ArgumentParser
import Content
import Tenure

struct LinksIgnore: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "ignore", abstract: "Say of findings that they don't count.",
        discussion: """
            They are no findings any more, of checks and of what is broken, and fail no build; \
            each report says how many there are, who said so and why. The pattern is for the \
            whole URL, as a report shows it, with or without its fragment; in a checked folder it \
            may be for the file instead. * stands for any text, and nothing else is special. After \
            the day of --until the findings count again, and reports say that the rule has ended.

            Example:
              tenure links ignore 'https://old.example/*' --reason 'their server moves' \\
                --until 2027-01-31
              tenure links ignore 'drafts/*' --code 404 --page 'index.html' --reason 'not yet'
            """)

    @Argument(help: ArgumentHelp("Of the targets.", valueName: "URL|PATTERN")) var target: String
    @Option(help: "Only findings of this code, such as 404 or missingFragment.") var code: String?
    @Option(
        help: ArgumentHelp(
            "Only at places of these pages; the finding's other places count.",
            valueName: "PATTERN"))
    var page: String?
    @Option(help: "Why, for those who read the report.") var reason: String
    @Option(
        help: ArgumentHelp(
            "The last day, in UTC: 2027-01-31. (default: for good)", valueName: "DATE"))
    var until: String?
    @Option(help: "Who says so. (default: the user's name)") var by: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        for (flag, text) in [("the pattern", target), ("--reason", reason)]
        where text.allSatisfy(\.isWhitespace) {
            throw ValidationError("\(flag) is empty; give a text")
        }
    }

    func execute() async throws {
        let rule = try await Database.product(common) { database in
            try await IgnoreRules(pool: database.pool).acting(from: .cli).add(
                target: target, code: code, page: page, reason: reason, by: by ?? Whom.name,
                until: until)
        }
        if json {
            Terminal.output(try JSONText.encode(IgnoreOutput(rule)))
        } else {
            Terminal.line("ignoring \(rule.target) by \(rule.words)")
        }
    }
}
