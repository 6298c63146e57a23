import ArgumentParser
import Content

/// What else of links is looked at: a flag for each such rule.
struct AspectFlags: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Whether fragments are looked for in foreign pages, too. (default: no)")
    var foreignFragments: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether passages of text, #:~:text=, are looked for. (default: yes)")
    var textFragments: Bool?
    @Flag(
        name: .customLong("soft-404"), inversion: .prefixedNo,
        help: "Whether foreign pages are read for saying that they aren't there. (default: no)")
    var softMissing: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether mailto: has an address whose domain takes mail. (default: no)")
    var mail: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether links to what has moved for good are findings. (default: no)")
    var moved: Bool?
    @Flag(
        inversion: .prefixedNo,
        help: "Whether http:// on pages that are https:// is a finding. (default: no)")
    var insecureLinks: Bool?

    private var all: [(key: RuleKey, value: Bool?)] {
        [
            (.foreignFragments, foreignFragments), (.textFragments, textFragments),
            (.softMissing, softMissing), (.mail, mail), (.moved, moved),
            (.insecureLinks, insecureLinks),
        ]
    }

    func apply(to aspects: inout CheckAspects) {
        for (key, value) in all {
            if let value, let aspect = key.aspect { aspects[keyPath: aspect] = value }
        }
    }

    /// The first of them that was given.
    var given: String? { all.first { $0.value != nil }.map { "--\($0.key.rawValue)" } }
}
