import ArgumentParser
import Tenure
import TenureFoundation

struct QueueAge: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "age",
        abstract: "Set after how long less urgent jobs of a queue go to its front.",
        discussion: """
            A steady stream of urgent jobs keeps the others waiting for good. With this the \
            leading coordinator gives those that are due for so long the priority of the most \
            urgent that wait, once a minute, a hundred at a time, the longest waiting first; they \
            start behind what is due there already. Jobs in lanes age anyhow. "none", as it is at \
            first, takes it away.

            Example:
              tenure queue age mail 10m
              tenure queue age mail none
            """)

    @Argument(help: "The queue's name.") var name: String
    @Argument(help: "How long, 1s to 365d; or none.") var after: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func checkInput() throws { _ = try wanted() }

    private func wanted() throws -> Duration? {
        if after == "none" { return nil }
        return try SettingValue.duration(
            .init(text: after, source: "the time"), .seconds(1) ... .seconds(365 * 86_400))
    }

    func report(_ database: Database) async throws -> AgeReport {
        let wanted = try wanted()
        try await Operator(client: database.client, as: Whom.name)
            .setAgeing(of: QueueName(name), after: wanted)
        return AgeReport(queue: name, after: wanted)
    }
}

struct AgeReport: Report {
    let queue: String
    let after: Duration?

    var text: String {
        guard let after else { return PlainText.line("jobs of \(queue) don't age") }
        return PlainText.line(
            "jobs of \(queue) that are due for \(DurationText.format(after)) go to its front")
    }

    func encode(to encoder: any Encoder) throws {
        try encoder.write(["queue": queue, "ageAfterSeconds": after?.inSeconds])
    }
}
