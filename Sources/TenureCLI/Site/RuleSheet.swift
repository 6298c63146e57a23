import Content
import Tenure

/// How a site is checked, for people: a line for each thing that isn't as usual.
enum RuleSheet {
    static func add(_ options: SiteCheckOptions, to sheet: inout Sheet) {
        sheet.add("depth", options.depth.map { "\($0)" })
        let usual = SiteCheckOptions()
        sheet.add("pages", options.pages == usual.pages ? nil : "\(options.pages) at most")
        sheet.add("contact", options.contact)
        sheet.add("strict", options.strict ? "yes" : nil)
        addTime("interval", options.ownInterval, usual.ownInterval, to: &sheet)
        addTime("first byte within", options.firstByteSeconds, nil, to: &sheet)
        addTime("whole answer within", options.totalSeconds, nil, to: &sheet)
        sheet.add("at most", options.bodyBytes.map { SizeText.format(Int64($0)) + " an answer" })
        addTime("fresh for", options.freshSeconds, usual.freshSeconds, to: &sheet)
        sheet.add("allows", list(options.allowedAddresses))
        let rules = options.rules
        sheet.add("foreign", options.checksForeign ? list(rules.foreign) : "no")
        sheet.add("include", list(rules.include))
        sheet.add("exclude", list(rules.exclude))
        sheet.add("fragments", rules.checksFragments ? nil : "no")
        for key in RuleKey.allCases {
            guard let aspect = key.aspect else { continue }
            let value = rules.aspects[keyPath: aspect]
            if value == CheckAspects()[keyPath: aspect] { continue }
            let name = key.rawValue.map { $0 == "-" ? " " : $0 }
            sheet.add(String(name), value ? "yes" : "no")
        }
        sheet.add("user agent", rules.userAgent)
        for rule in rules.accept {
            let statuses = rule.statuses.map(\.description).joined(separator: ", ")
            sheet.add("accepts", statuses + (rule.at.map { " at \($0)" } ?? ""))
        }
        for rule in rules.requests {
            sheet.add("tells \(rule.to ?? "every host")", parts(of: rule))
        }
        for rule in rules.ignore {
            let code = rule.code.map { " \($0)" } ?? ""
            let until = rule.until.map { " until \($0)" } ?? ""
            sheet.add("ignores", "\(rule.target)\(code)\(until): \(rule.reason) (\(rule.source))")
        }
    }

    private static func addTime(
        _ name: String, _ seconds: Double?, _ usual: Double?, to sheet: inout Sheet
    ) {
        guard let seconds, seconds != usual else { return }
        sheet.add(name, DurationText.format(.seconds(seconds)))
    }

    private static func list(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func parts(of rule: RequestRule) -> String {
        var parts = rule.headers.map { "\($0.name): \(text($0.value))" }
        if let user = rule.user, let password = rule.password {
            parts.append("basic \(text(user)) with \(text(password))")
        }
        parts += rule.cookies.map { "cookie \($0.name) from \(text($0.value))" }
        return parts.joined(separator: "; ")
    }

    private static func text(_ value: RuleValue) -> String {
        switch value {
        case .text(let text): text
        case .secret(let secret): secret.description
        }
    }
}
