// docs/rules.md

import Content
import TenureFoundation
import YAML

/// Puts what a rule file says into the options of a check.
struct RuleReader {
    private(set) var options: SiteCheckOptions
    /// What reports call the file.
    private let name: String
    private let whom: String

    init(_ options: SiteCheckOptions, name: String, by whom: String) {
        (self.options, self.name, self.whom) = (options, name, whom)
    }

    /// - Throws: `YAMLError`, with the place of what can't be used.
    mutating func take(_ root: YAMLNode) throws {
        for (key, _, value) in try root.entries(RuleKey.self, of: "the file") {
            try take(key, value)
        }
    }

    private mutating func take(_ key: RuleKey, _ value: YAMLNode) throws {
        let name = key.rawValue
        switch key {
        case .include: options.rules.include = try patterns(value, name)
        case .exclude: options.rules.exclude = try patterns(value, name)
        case .foreign: try takeForeign(value)
        case .accept: options.rules.accept = try value.elements(of: name).map(accept)
        case .requests:
            options.rules.requests = try value.elements(of: name, most: 100).map(RequestReader.read)
        case .ignore: options.rules.ignore = try value.elements(of: name).map(ignore)
        case .contact: options.contact = try value.text(of: name, such: "links@example.org")
        case .depth: options.depth = try value.number(of: name, in: 0...1_000_000)
        case .pages:
            options.pages = try value.number(of: name, in: SiteCheckOptions.possiblePages)
        case .strict: options.strict = try value.flag(of: name)
        case .fragments: options.rules.checksFragments = try value.flag(of: name)
        case .interval: options.ownInterval = try value.seconds(of: name, in: 0...86_400)
        case .timeout: options.firstByteSeconds = try value.seconds(of: name, in: 0.001...86_400)
        case .fresh: options.freshSeconds = try value.seconds(of: name, in: 0...31_536_000)
        case .userAgent:
            let text = try value.text(of: name, such: "\"Mozilla/5.0 (X11; Linux x86_64)\"")
            try value.checked { try CheckRules.check(userAgent: text) }
            options.rules.userAgent = text
        case .limits: try takeLimits(value)
        case .foreignFragments, .textFragments, .softMissing, .mail, .moved, .insecureLinks:
            if let aspect = key.aspect {
                options.rules.aspects[keyPath: aspect] = try value.flag(of: name)
            }
        }
    }

    private func patterns(_ value: YAMLNode, _ name: String) throws -> [String] {
        try value.elements(of: name).map { node in
            let pattern = try node.text(of: name, such: "\"https://example.org/*\"")
            try node.checked { try CheckRules.check(pattern: pattern, of: name) }
            return pattern
        }
    }

    /// Yes, no, or only some.
    private mutating func takeForeign(_ value: YAMLNode) throws {
        if case .text(let text, isPlain: true) = value.content, let all = Bool(text) {
            options.checksForeign = all
            return
        }
        if case .text = value.content {
            throw value.refused(
                "foreign is a text; give true, false or a list of patterns such as "
                    + "[\"https://example.org/*\"]")
        }
        options.checksForeign = true
        options.rules.foreign = try patterns(value, "foreign")
    }

    private func accept(_ node: YAMLNode) throws -> AcceptRule {
        guard case .map = node.content else { return AcceptRule([try status(node)]) }
        var rule = AcceptRule([])
        for (key, _, value) in try node.entries(RuleKey.Accept.self, of: "one of accept") {
            switch key {
            case .status:
                rule.statuses = try value.elements(of: "status", most: 100).map(status)
            case .at:
                let pattern = try value.text(of: "at", such: "\"https://example.org/*\"")
                try value.checked { try CheckRules.check(pattern: pattern, of: "at") }
                rule.at = pattern
            }
        }
        guard !rule.statuses.isEmpty else {
            throw node.refused("no status is given; give status: 403 or a list of them")
        }
        return rule
    }

    private func status(_ node: YAMLNode) throws -> StatusRange {
        let text = try node.text(of: "the status", such: "403 or \"200..=299\"")
        return try node.checked { try StatusRange(text) }
    }

    private func ignore(_ node: YAMLNode) throws -> KeptIgnoreRule {
        var rule = KeptIgnoreRule(
            target: "", reason: "", source: "\(name):\(node.place.line)", madeBy: whom)
        for (key, _, value) in try node.entries(RuleKey.Ignore.self, of: "one of ignore") {
            switch key {
            case .target: rule.target = try value.text(of: "target", such: "\"https://a.test/*\"")
            case .code: rule.code = try value.text(of: "code", such: "404 or missingFragment")
            case .page: rule.page = try value.text(of: "page", such: "\"archive/*\"")
            case .reason: rule.reason = try value.text(of: "reason", such: "\"their server moves\"")
            case .until:
                let day = try value.text(of: "until", such: "2027-01-31")
                try value.checked { try KeptIgnoreRule.check(until: day) }
                rule.until = day
            }
        }
        guard !rule.target.isEmpty, !rule.reason.isEmpty else {
            let missing = rule.target.isEmpty ? "target" : "reason"
            throw node.refused("\(missing) is missing; give both, target and reason")
        }
        try node.checked { try rule.validate() }
        return rule
    }

    private mutating func takeLimits(_ value: YAMLNode) throws {
        for (key, _, value) in try value.entries(RuleKey.Limit.self, of: "limits") {
            switch key {
            case .total: options.totalSeconds = try value.seconds(of: "total", in: 0.001...86_400)
            case .body: options.bodyBytes = try value.bytes(of: "body")
            case .looks: options.looks = try value.number(of: "looks", in: 1...20)
            }
        }
    }
}
