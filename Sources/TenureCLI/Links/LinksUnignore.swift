import ArgumentParser
import Content
import Tenure

struct LinksUnignore: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "unignore", abstract: "Let findings count again.",
        discussion: """
            Example:
              tenure links unignore 3

            Exit codes: 0 removed, 1 there was no such rule, 2 could not do it.
            """)

    @Argument(help: "The rule, by its id in tenure links ignored.") var id: Int64
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func execute() async throws {
        let rule = try await Database.product(common) { database in
            try await IgnoreRules(pool: database.pool).acting(from: .cli)
                .remove(id, by: Whom.name)
        }
        guard let rule else {
            if json {
                Terminal.output("null")
            } else {
                Terminal.line("there is no rule \(id); see tenure links ignored")
            }
            throw ExitCode(Exit.findings)
        }
        if json {
            Terminal.output(try JSONText.encode(IgnoreOutput(rule)))
        } else {
            Terminal.line("\(rule.target) counts again, by the end of \(rule.words)")
        }
    }
}
