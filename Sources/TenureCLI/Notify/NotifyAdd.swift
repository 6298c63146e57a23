import ArgumentParser
import Content
import Tenure

struct NotifyAdd: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a channel for notices.",
        discussion: """
            The secret itself is not given here, and the database never has it: workers read it, \
            from a variable of their environment whose name begins with TENURE_SECRET_, or from a \
            file of their folder of secrets (/run/secrets/tenure, or what TENURE_CONTENT_SECRETS \
            says). A webhook's signs what is sent; in a Slack address it takes the place of \
            {secret}. An address that isn't public needs workers with TENURE_CONTENT_ALLOW.

            Example:
              tenure notify add ops --webhook https://hooks.example.org/tenure \
            --secret-env TENURE_SECRET_OPS
              tenure notify add team --slack 'https://hooks.slack.com/services/{secret}' \
            --secret-file slack-path
            """)

    @Argument(help: "The channel's name, of your choice.") var name: String
    @Option(help: ArgumentHelp("JSON is sent here, by POST.", valueName: "URL"))
    var webhook: String?
    @Option(help: ArgumentHelp("An incoming webhook in Slack's form.", valueName: "URL"))
    var slack: String?
    @Option(help: ArgumentHelp("The variable that has the secret.", valueName: "NAME"))
    var secretEnv: String?
    @Option(help: ArgumentHelp("The file that has the secret.", valueName: "NAME"))
    var secretFile: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (webhook == nil) != (slack == nil) else {
            throw ValidationError("give --webhook or --slack, one of them")
        }
        if secretEnv != nil, secretFile != nil {
            throw ValidationError("give --secret-env or --secret-file, one of them")
        }
    }

    private struct Output: Encodable {
        let channel: String
        let kind: Channel.Kind
    }

    func execute() async throws {
        var secret = try secretEnv.map { try SecretReference(variable: $0) }
        if let secretFile { secret = try SecretReference(file: secretFile) }
        let channel = try NewChannel(
            name, webhook == nil ? .slack : .webhook, to: webhook ?? slack ?? "", secret: secret)
        try await Database.product(common) { try await $0.channels.add(channel) }
        if json {
            let output = Output(channel: channel.name, kind: channel.kind)
            return Terminal.output(try JSONText.encode(output))
        }
        Terminal.line("added \(name); try it with: tenure notify test \(name)")
        if channel.kind == .webhook, secret == nil {
            Terminal.error(
                "tenure: what is sent there isn't signed; to sign it, add the channel with "
                    + "--secret-env or --secret-file")
        }
    }
}
