import ArgumentParser

/// The flags of how long what the product has seen is kept: settings of its own section, `content`.
struct RetentionFlags: ParsableArguments {
    @Option(help: "How long checks are kept, with what they visited and found. (default: 90d)")
    var keepChecks: String?

    @Option(help: "How long changes of how targets answer are kept. (default: 365d)")
    var keepEvents: String?

    @Option(help: "How long notices are kept, whether they have arrived or not. (default: 365d)")
    var keepNotices: String?

    @Option(help: "How long documents are kept that were doubted. (default: 90d)")
    var keepCandidates: String?

    @Option(help: "How long an item's versions are kept when newer ones have come. (default: 365d)")
    var keepVersions: String?

    @Option(help: "How many versions an item has at most. (default: 1000)")
    var versionsPerItem: String?

    private var all: [(name: String, variable: String, value: String?)] {
        [
            ("keepChecks", "KEEP_CHECKS", keepChecks), ("keepEvents", "KEEP_EVENTS", keepEvents),
            ("keepNotices", "KEEP_NOTICES", keepNotices),
            ("keepCandidates", "KEEP_CANDIDATES", keepCandidates),
            ("keepVersions", "KEEP_VERSIONS", keepVersions),
            ("versionsPerItem", "VERSIONS_PER_ITEM", versionsPerItem),
        ]
    }

    /// By their names in the section.
    var values: [String: String] {
        Dictionary(uniqueKeysWithValues: all.compactMap { one in one.value.map { (one.name, $0) } })
    }

    /// For a child process.
    var environment: [String: String] {
        Dictionary(
            uniqueKeysWithValues: all.compactMap { one in
                one.value.map { ("TENURE_CONTENT_\(one.variable)", $0) }
            })
    }
}
