import ArgumentParser
import Tenure

struct QueueLetters: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "letters",
        abstract: "Set where letters of a queue's discarded jobs go.",
        discussion: """
            Of jobs whose kind has no address of its own; see tenure kind letters. "none" takes \
            the address away. tenure queue show tells it.

            Example:
              tenure queue letters payments payment-failed --queue support
              tenure queue letters payments none
            """)

    @Argument(help: "The queue whose jobs are discarded.") var name: String
    @OptionGroup var address: LetterFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> LettersReport {
        let changed = try await Operator(client: database.client, as: Whom.name)
            .setLetters(of: QueueName(name), to: address.address)
        return LettersReport(
            thing: "queue", name: name, letters: address.address, changed: changed)
    }
}
