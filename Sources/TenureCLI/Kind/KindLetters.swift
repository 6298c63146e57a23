import ArgumentParser
import Tenure

struct KindLetters: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "letters",
        abstract: "Set where letters of a kind's discarded jobs go.",
        discussion: """
            A letter is a job of another kind that holds the discarded one, and why it was given \
            up; it is enqueued by whatever discards. This stands before what the kind's code \
            says. "none" takes the address away, until a worker whose code names one starts. \
            tenure kind list shows them.

            Example:
              tenure kind letters charge charge-failed --queue support
              tenure kind letters charge none
            """)

    @Argument(help: "The kind whose jobs are discarded.") var kind: String
    @OptionGroup var address: LetterFlags
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> LettersReport {
        let changed = try await Operator(client: database.client, as: Whom.name)
            .setLetters(of: JobKind(kind), to: address.address)
        return LettersReport(
            thing: "kind", name: kind, letters: address.address, changed: changed)
    }
}

/// Where letters go, as flags say it.
struct LetterFlags: ParsableArguments {
    @Argument(help: "The kind of the letters, or none.") var letters: String
    @Option(help: "The letters' queue; without it that of each discarded job.") var queue: String?

    func validate() throws {
        if letters == "none", queue != nil {
            throw ValidationError("none goes to no queue; leave --queue out")
        }
    }

    var address: LetterAddress? {
        letters == "none"
            ? nil : .to(kind: JobKind(letters), queue: queue.map { QueueName($0) })
    }
}

struct LettersReport: Report {
    let thing: String
    let name: String
    @OrNull var letters: LetterAddress?
    let changed: Bool

    var text: String {
        PlainText.line(
            letters.map { "letters of \(thing) \(name) go to \($0.text)" }
                ?? (changed
                    ? "\(thing) \(name) has no letters any more"
                    : "\(thing) \(name) had no letters"))
    }
}

extension LetterAddress {
    /// In a table or a line.
    var text: String { "\(kind)" + (queue.map { " in \($0)" } ?? "") }
}
