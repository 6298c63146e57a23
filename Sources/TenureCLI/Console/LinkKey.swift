import Content
import TenureWeb

/// Where a list of broken links, or of findings, goes on: they are in the order of their targets.
struct LinkKey: ListKey, Comparable {
    let target: String
    let code: String
    let fragment: String

    init(_ link: BrokenLink) {
        (target, code, fragment) = (link.target, link.code, link.fragment ?? "")
    }

    init(_ finding: Content.Finding) {
        (target, code, fragment) = (finding.target, finding.code, finding.fragment ?? "")
    }

    /// `404 20 https://a.example/b/anchor`: the target's bytes are counted, for one that is no URL
    /// may have anything in it.
    init?(key: String) {
        let parts = key.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let length = Int(parts[1]), length >= 0,
            length <= parts[2].utf8.count,
            let target = String(parts[2].utf8.prefix(length)),
            let fragment = String(parts[2].utf8.dropFirst(length))
        else { return nil }
        (self.target, code, self.fragment) = (target, String(parts[0]), fragment)
    }

    var key: String { "\(code) \(target.utf8.count) \(target)\(fragment)" }

    static func < (one: LinkKey, other: LinkKey) -> Bool {
        (one.target, one.code, one.fragment) < (other.target, other.code, other.fragment)
    }
}
