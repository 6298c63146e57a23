import ArgumentParser

struct Pause<Noun: Pausable>: ReportingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "pause", abstract: Noun.pausing.abstract,
            discussion: Noun.pausing.discussion)
    }

    @Argument(help: "The \(Noun.noun)'s name.") var name: String
    @Option(help: "Who pauses, for those who look later. (default: the user's name)")
    var by: String?
    @Option(help: "Why, for those who look later.", transform: JobArgument.reason)
    var reason: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Change {
        let note = try await Noun.pause(
            name, by: by ?? Whom.name, because: reason, database)
        return Change(noun: Noun.noun, name: name, result: .paused, note: note)
    }
}
