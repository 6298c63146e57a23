import Content
import TenureFoundation

extension ContentConfiguration {
    /// `contact`, `allow`, `allowSites`, `hostInterval`, `requestsPerHost`, `proxy`, `proxyNaming`,
    /// `crlFile`, `secrets`, `keepChecks`, `keepEvents`, `keepCandidates`, `keepNotices`,
    /// `keepVersions` and `versionsPerItem` of the product's settings.
    init(_ settings: ProductSettings) throws {
        self.init()
        contact = try settings.text("contact")
        try allow(ProductSettings.blocks(settings))
        try allowSites(settings.text("allowSites")?.split(separator: ",").map(String.init) ?? [])
        if let interval = try settings.duration(
            "hostInterval", in: .milliseconds(100) ... .seconds(3600))
        {
            hostInterval = interval
        }
        if let proxy = try settings.text("proxy") {
            let naming = try Self.naming(settings)
            try Self.named("proxy") { try usesProxy(proxy, naming: naming) }
        }
        if let lists = try settings.text("crlFile") {
            try Self.named("crlFile") { try usesRevocationLists(lists) }
        }
        secrets = ChannelSecrets(
            environment: ProcessInfo.processInfo.environment,
            folder: try settings.text("secrets") ?? ChannelSecrets.usualFolder)
        if let most = try settings.whole("requestsPerHost", in: 1...100) { requestsPerHost = most }
        try retention.take(settings)
    }

    private static func naming(_ settings: ProductSettings) throws -> ProxyNaming {
        guard let text = try settings.text("proxyNaming") else { return .here }
        guard let naming = ProxyNaming(rawValue: text) else {
            let all = ProxyNaming.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure("content.proxyNaming is \"\(text)\"; give one of \(all)")
        }
        return naming
    }

    private static func named(_ setting: String, _ take: () throws -> Void) throws {
        do {
            try take()
        } catch let error as ContentError {
            throw Failure("content.\(setting): \(error)")
        }
    }
}

extension ContentRetention {
    fileprivate mutating func take(_ settings: ProductSettings) throws {
        checks = try settings.duration("keepChecks", in: Self.range) ?? checks
        events = try settings.duration("keepEvents", in: Self.range) ?? events
        notices = try settings.duration("keepNotices", in: Self.rangeOfNotices) ?? notices
        candidates = try settings.duration("keepCandidates", in: Self.range) ?? candidates
        versions = try settings.duration("keepVersions", in: Self.range) ?? versions
        versionsPerItem =
            try settings.whole("versionsPerItem", in: Self.rangeOfVersions) ?? versionsPerItem
    }
}

extension ProductSettings {
    /// The blocks of addresses that may be asked although they aren't public.
    static func blocks(_ settings: ProductSettings) throws -> [String] {
        try settings.text("allow")?.split(separator: ",").map(String.init) ?? []
    }
}
