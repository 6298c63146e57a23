import ArgumentParser

struct Resume<Noun: Pausable>: ReportingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "resume", abstract: Noun.resuming.abstract,
            discussion: Noun.resuming.discussion)
    }

    @Argument(help: "The \(Noun.noun)'s name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func report(_ database: Database) async throws -> Change {
        let wasPaused = try await Noun.resume(name, by: Whom.name, database)
        return Change(
            noun: Noun.noun, name: name, result: wasPaused ? .resumed : .wasNotPaused)
    }
}
