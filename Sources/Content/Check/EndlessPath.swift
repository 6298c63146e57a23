import Web

/// URLs that a site makes up for as long as somebody follows them: a relative link to `sub/`, on a
/// page that is the same at each of its URLs, leads one folder deeper each time. Such a page is
/// visited, and what it links to is not. `SpreadCheck.isEndless` says the same in SQL.
enum EndlessPath {
    /// A name that stands in a path more often than this is no folder that somebody made.
    static let mostTimes = 3
    static let mostNames = 60

    static func isEndless(_ url: WebURL) -> Bool {
        var times: [Substring: Int] = [:]
        var names = 0
        for name in url.path.split(separator: "/") {
            names += 1
            times[name, default: 0] += 1
            if times[name, default: 0] > mostTimes || names > mostNames { return true }
        }
        return false
    }
}
