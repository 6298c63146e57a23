import Content
import YAML

/// One of a rule file's `requests`. No message here shows a value: it may be the secret that should
/// stand elsewhere.
enum RequestReader {
    static func read(_ node: YAMLNode) throws -> RequestRule {
        let entries = try node.entries(RuleKey.Request.self, of: "one of requests")
        var rule = try RequestRule()
        if let to = entries.first(where: { $0.key == .to })?.value {
            let origin = try to.text(of: "to", such: "https://example.org")
            rule = try to.checked { try RequestRule(to: origin) }
        }
        for (key, _, value) in entries {
            switch key {
            case .to: break
            case .headers: rule.headers = try fields(value, "headers", RequestRule.check(header:))
            case .cookies: rule.cookies = try fields(value, "cookies", RequestRule.check(cookie:))
            case .basic: try take(value, into: &rule)
            }
        }
        try node.checked { try rule.validate() }
        return rule
    }

    private static func fields(
        _ node: YAMLNode, _ name: String, _ check: (RequestRule.Field) throws -> Void
    ) throws -> [RequestRule.Field] {
        var names: Set<String> = []
        return try node.named(of: name).map { entry in
            guard names.insert(entry.key.lowercased()).inserted else {
                throw YAMLError(entry.place, "it stands here twice, in other letters")
            }
            let field = RequestRule.Field(entry.key, try text(entry.value, "the value"))
            try entry.value.checked { try check(field) }
            return field
        }
    }

    private static func take(_ node: YAMLNode, into rule: inout RequestRule) throws {
        for (key, _, value) in try node.entries(RuleKey.Basic.self, of: "basic") {
            switch key {
            case .user: rule.user = try text(value, "user")
            case .password: rule.password = try text(value, "password")
            }
        }
        let (user, password) = (rule.user, rule.password)
        try node.checked { try RequestRule.check(user: user, password: password) }
    }

    private static func text(_ node: YAMLNode, _ name: String) throws -> RuleValue {
        guard case .text(let text, _) = node.content, !text.isEmpty else {
            throw node.refused("\(name) is no text; give one")
        }
        return try node.checked { try RuleValue(text) }
    }
}
