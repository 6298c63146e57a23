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
            {secret}; of mail it is the password of --user. An address that isn't public needs \
            workers with TENURE_CONTENT_ALLOW, a mail server's like any other.

            Mail goes encrypted (STARTTLS, or smtps), or not at all; to the worker's own machine, \
            and with --plain, it goes in the open.

            Example:
              tenure notify add ops --webhook https://hooks.example.org/tenure \
            --secret-env TENURE_SECRET_OPS
              tenure notify add team --slack 'https://hooks.slack.com/services/{secret}' \
            --secret-file slack-path
              tenure notify add docs --mail docs@example.org --from tenure@example.org \
            --server smtp://mail.example.org:587 --user tenure --secret-env TENURE_SECRET_MAIL
            """)

    @Argument(help: "The channel's name, of your choice.") var name: String
    @Option(help: ArgumentHelp("JSON is sent here, by POST.", valueName: "URL"))
    var webhook: String?
    @Option(help: ArgumentHelp("An incoming webhook in Slack's form.", valueName: "URL"))
    var slack: String?
    @Option(help: ArgumentHelp("A message is sent to this address.", valueName: "ADDRESS"))
    var mail: String?
    @Option(help: ArgumentHelp("Mail: whom it is from.", valueName: "ADDRESS"))
    var from: String?
    @Option(
        help: ArgumentHelp(
            "Mail: smtp://host:587, or smtps://host:465.", valueName: "URL"))
    var server: String?
    @Option(help: ArgumentHelp("Mail: who logs in there.", valueName: "NAME"))
    var user: String?
    @Flag(help: "Mail: not encrypted.") var plain = false
    @Option(help: ArgumentHelp("The variable that has the secret.", valueName: "NAME"))
    var secretEnv: String?
    @Option(help: ArgumentHelp("The file that has the secret.", valueName: "NAME"))
    var secretFile: String?
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard [webhook, slack, mail].filter({ $0 != nil }).count == 1 else {
            throw ValidationError("give --webhook, --slack or --mail, one of them")
        }
        if secretEnv != nil, secretFile != nil {
            throw ValidationError("give --secret-env or --secret-file, one of them")
        }
        let isRouted = from != nil && server != nil
        if mail != nil, !isRouted {
            throw ValidationError(
                "--mail needs --from ADDRESS and --server smtp://host:587, too")
        }
        if mail == nil, from != nil || server != nil || user != nil || plain {
            throw ValidationError("--from, --server, --user and --plain belong to --mail")
        }
    }

    private struct Output: Encodable {
        let channel: String
        let kind: Channel.Kind
    }

    func execute() async throws {
        var secret = try secretEnv.map { try SecretReference(variable: $0) }
        if let secretFile { secret = try SecretReference(file: secretFile) }
        let channel = try channel(secret)
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

    private func channel(_ secret: SecretReference?) throws -> NewChannel {
        if let webhook { return try NewChannel(name, .webhook, to: webhook, secret: secret) }
        if let slack { return try NewChannel(name, .slack, to: slack, secret: secret) }
        let route = try MailRoute(
            to: try MailAddress(mail ?? ""), from: try MailAddress(from ?? ""), by: server ?? "",
            user: user, isPlain: plain)
        return try NewChannel(name, by: route, secret: secret)
    }
}
