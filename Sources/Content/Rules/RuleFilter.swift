import HTTPTransport
import TenureFoundation
import Web

/// The rules of a check, ready to be asked about many URLs.
struct RuleFilter: Sendable {
    private let rules: CheckRules
    private let include: [Glob]
    private let exclude: [Glob]
    private let foreign: [Glob]
    private let accept: [(statuses: [StatusRange], at: Glob?)]
    /// What paths of a folder begin behind; nil for what is no folder.
    private let root: String?

    /// - Parameter root: the URL of a folder that is checked: patterns may be for paths below it.
    init(_ rules: CheckRules, root: String?) {
        self.rules = rules
        self.root = root
        (include, exclude) = (rules.include.map { Glob($0) }, rules.exclude.map { Glob($0) })
        foreign = rules.foreign.map { Glob($0) }
        accept = rules.accept.map { ($0.statuses, $0.at.map { Glob($0) }) }
    }

    /// Whether nobody is to be asked for it. `SpreadCheck` says the same of all a page refers to.
    ///
    /// - Parameter isGiven: it was named by whoever checks, and not found: `include` is for what
    ///   is found.
    func excludes(_ href: String, isGiven: Bool = false) -> Bool {
        if include.isEmpty, exclude.isEmpty { return false }
        let names = names(of: href)
        func fits(_ globs: [Glob]) -> Bool {
            globs.contains { glob in names.contains(where: glob.matches) }
        }
        if fits(include) { return false }
        return exclude.isEmpty ? !isGiven : fits(exclude)
    }

    private func names(of href: String) -> [String] {
        guard let root, href.hasPrefix(root) else { return [href] }
        return [href, String(href.dropFirst(root.count))]
    }

    func wantsForeign(_ href: String) -> Bool {
        foreign.isEmpty || foreign.contains { $0.matches(href) }
    }

    /// Whether such an answer counts as well here.
    func accepts(_ status: Int?, of href: String) -> Bool {
        guard let status else { return false }
        return accept.contains { rule in
            rule.statuses.contains { $0.contains(status) } && rule.at?.matches(href) ?? true
        }
    }

    private func requests(to url: WebURL) -> [RequestRule] {
        rules.requests.filter { $0.to == nil || $0.to == url.origin }
    }

    /// Whether its answer is one for this check alone: others would be asked in another way.
    func changesRequest(for url: WebURL) -> Bool {
        requests(to: url).contains(where: \.isOfOneCheck)
    }

    /// What a request for a URL says. Of two rules the later counts.
    /// - Throws: `ContentError` with `.noSecret`.
    func headers(for url: WebURL, _ secrets: ChannelSecrets) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        func text(_ value: RuleValue) throws -> String {
            switch value {
            case .text(let text): text
            case .secret(let secret): try secrets.text(of: secret)
            }
        }
        for rule in requests(to: url) {
            for field in rule.headers { headers[field.name] = try text(field.value) }
            if let user = rule.user, let password = rule.password {
                let pair = Data("\(try text(user)):\(try text(password))".utf8)
                headers["Authorization"] = "Basic \(pair.base64EncodedString())"
            }
            if rule.cookies.isEmpty { continue }
            let cookies = try rule.cookies.map { "\($0.name)=\(try text($0.value))" }
            headers["Cookie"] = cookies.joined(separator: "; ")
        }
        return headers
    }

    // MARK: For SQL, where `LIKE` is what `Glob` is here

    var includeLike: [String] { rules.include.map(Glob.like) }
    var excludeLike: [String] { rules.exclude.map(Glob.like) }
    var foreignLike: [String] { rules.foreign.map(Glob.like) }
}
