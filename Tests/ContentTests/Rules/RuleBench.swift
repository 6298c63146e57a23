import Content
import Tenure
import TenureFoundation
import TestSupport

/// A site on a real server, a foreign host on another one, and checks by rules.
struct RuleBench: Sendable {
    let fixture: ContentFixture
    let web: LocalWeb
    let other: LocalWeb
    /// Where mail's domains are asked for, instead of the machine's own name servers.
    var nameServer: (address: String, port: UInt16)?
    static let secret = "kanary-of-the-rules"

    init(_ label: String) async throws {
        fixture = try await ContentFixture(label)
        (web, other) = (try LocalWeb(), try LocalWeb())
    }

    static var configuration: ContentConfiguration {
        get throws {
            var configuration = ContentConfiguration()
            try configuration.allow(["127.0.0.1"])
            configuration.hostInterval = .milliseconds(1)
            configuration.secrets = ChannelSecrets(
                environment: ["TENURE_SECRET_RULES": secret], folder: "/nowhere")
            return configuration
        }
    }

    static var options: SiteCheckOptions {
        var options = SiteCheckOptions()
        (options.allowedAddresses, options.contact) = (["127.0.0.1"], "ada@example.org")
        (options.pauseSeconds, options.looks) = (0.01, 1)
        return options
    }

    static func rules(_ change: (inout CheckRules) throws -> Void) rethrows -> CheckRules {
        var rules = CheckRules()
        try change(&rules)
        return rules
    }

    /// What one origin is told: a secret header, and a user.
    static func secrets(for origin: String) throws -> RequestRule {
        var rule = try RequestRule(to: origin)
        let secret = try RuleValue("env:TENURE_SECRET_RULES")
        rule.headers = [.init("X-Preview", secret)]
        (rule.user, rule.password) = (.text("crawler"), secret)
        rule.cookies = [.init("session", secret)]
        return rule
    }

    /// A check of the site from beginning to end.
    func check(
        _ rules: CheckRules = CheckRules(), _ options: SiteCheckOptions = options
    ) async throws -> CheckReport {
        var options = options
        options.rules = rules
        var configuration = try Self.configuration
        configuration.nameServer = nameServer
        return try await fixture.withWorkers(configuration: configuration) { [options] in
            let run = try await fixture.check.start(url: "\(web.url)/", options)
            _ = try await fixture.check.wait(run, every: .milliseconds(20))
            return try await fixture.check.report(run)
        }
    }

    /// How a target is remembered, for all checks.
    func memory(of url: String) async throws -> String? {
        try await fixture.pool.query(
            "SELECT t.state FROM content.target t WHERE t.href = '\(url)'"
        ) { try $0.decode(0, as: String.self) }.first
    }

    func asked(_ web: LocalWeb) -> Set<String> { Set(web.requests.map(\.path)) }
}
