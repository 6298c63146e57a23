import ArgumentParser
import Content

/// The rules of a check: those of a file, and the common ones as flags beside it.
struct RuleFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What is looked at, what counts as well, what requests say and what is ignored: "
                + "see docs/rules.md. Flags count beside it.", valueName: "FILE"))
    var rules: String?
    @Option(
        help: ArgumentHelp(
            "URLs that aren't asked for; * stands for any text; repeatable.",
            valueName: "PATTERN"))
    var exclude: [String] = []
    @Option(
        help: ArgumentHelp(
            "Exceptions from what is excluded; where nothing is, all that is looked at; "
                + "repeatable.", valueName: "PATTERN"))
    var include: [String] = []
    @Option(
        help: ArgumentHelp(
            "Statuses that count as well: 403, 200..=299; repeatable.", valueName: "STATUS"))
    var accept: [String] = []
    @Option(
        help: ArgumentHelp(
            "What every request says besides; no secret; repeatable.", valueName: "NAME: TEXT"))
    var header: [String] = []
    @Option(help: "What requests call themselves before our own name.") var userAgent: String?
    @Flag(inversion: .prefixedNo, help: "Whether fragments are looked for. (default: yes)")
    var fragments: Bool?
    @OptionGroup var aspects: AspectFlags

    /// The file first: lists of both are one, and of the rest a flag counts.
    func apply(to options: inout SiteCheckOptions) throws {
        if let rules { try RuleFile.take(rules, into: &options) }
        try apply(to: &options.rules)
    }

    /// The first of them that was given.
    var given: String? {
        let all = [
            ("--rules", rules != nil), ("--exclude", !exclude.isEmpty),
            ("--include", !include.isEmpty), ("--accept", !accept.isEmpty),
            ("--header", !header.isEmpty), ("--user-agent", userAgent != nil),
            ("--fragments", fragments != nil),
        ]
        return all.first(where: \.1)?.0 ?? aspects.given
    }

    private func apply(to rules: inout CheckRules) throws {
        for (flag, patterns) in [("--include", include), ("--exclude", exclude)] {
            for pattern in patterns {
                try Self.checked { try CheckRules.check(pattern: pattern, of: flag) }
            }
        }
        rules.include += include
        rules.exclude += exclude
        if !accept.isEmpty { rules.accept.append(AcceptRule(try statuses())) }
        if !header.isEmpty { rules.requests.append(try request()) }
        if let userAgent {
            try Self.checked { try CheckRules.check(userAgent: userAgent) }
            rules.userAgent = userAgent
        }
        if let fragments { rules.checksFragments = fragments }
        aspects.apply(to: &rules.aspects)
    }

    private func statuses() throws -> [StatusRange] {
        let texts = accept.joined(separator: ",")
            .split(separator: ",", omittingEmptySubsequences: false)
        return try texts.map { text in
            try Self.checked { try StatusRange(text.filter { $0 != " " }) }
        }
    }

    private func request() throws -> RequestRule {
        try Self.checked {
            var rule = try RequestRule()
            for text in header {
                let field = try Self.field(text)
                try RequestRule.check(header: field)
                rule.headers.append(field)
            }
            return rule
        }
    }

    private static func field(_ text: String) throws -> RequestRule.Field {
        guard let colon = text.firstIndex(of: ":") else {
            throw Failure("--header has no colon; give \"Accept-Language: de\"")
        }
        let value = String(text[text.index(after: colon)...].drop { $0 == " " })
        // A reference needs to know where its secret may go.
        guard case .text = try RuleValue(value) else {
            throw Failure(
                "--header goes to every host, and secrets don't; put it under requests of a file "
                    + "for --rules, with to: https://…")
        }
        return RequestRule.Field(String(text[..<colon]), .text(value))
    }

    private static func checked<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ContentError {
            throw Failure(error.description)
        }
    }
}
