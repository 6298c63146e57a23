import ArgumentParser
import Content
import Tenure

struct NotifyResume: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Send to a channel again, what hasn't arrived first.",
        discussion: """
            For one that was paused because its address answered 410, and for one whose notices \
            were tried in vain until all attempts were spent.

            Example:
              tenure notify resume ops
            """)

    @Argument(help: "The channel's name.") var name: String
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    private struct Output: Encodable {
        let channel: String
        let wasPaused: Bool
        let notices: Int
    }

    func execute() async throws {
        let (was, count) = try await Database.product(common) {
            try await $0.channels.resume(name)
        }
        if json {
            return Terminal.output(
                try JSONText.encode(Output(channel: name, wasPaused: was, notices: count)))
        }
        let text = count == 0 ? "nothing waits" : "\(CountText.of(count, "notice")) sent again"
        Terminal.line("\(was ? "resumed" : "was not paused:") \(name): \(text)")
    }
}
