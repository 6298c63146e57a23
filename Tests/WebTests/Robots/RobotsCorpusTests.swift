import Testing

@testable import Web

@Suite struct RobotsCorpusTests {
    @Test func `every case of the public robots suite is decided as it says`() {
        var tally = Tally("robots")
        for file in Corpora.files("robots", suffix: ".textproto") {
            guard let bytes = Corpora.data(file) else { continue }
            for item in RobotsCase.parse(String(decoding: bytes, as: UTF8.self)) {
                let robots = Robots(Array(item.robots.utf8))
                let isAllowed = robots.isAllowed(path: item.path, userAgent: item.agent)
                tally.check(
                    isAllowed == item.isAllowed,
                    "\(file): \(item.agent) \(item.url): \(isAllowed)\n\(item.robots)")
            }
        }
        tally.finish()
    }
}

/// One expectation of the suite's text format: `key: "string" "string"` and `key: WORD`.
private struct RobotsCase {
    var robots = ""
    var url = ""
    var agent = ""
    var isAllowed = false

    /// What comes behind the host, as it is written.
    var path: String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        let path = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
        return String(path.prefix { $0 != "#" })
    }

    static func parse(_ text: String) -> [RobotsCase] {
        var cases: [RobotsCase] = []
        var current = RobotsCase()
        var key = ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let content = line.drop { $0 == " " }
            var value = content
            if !content.hasPrefix("\""), let colon = content.firstIndex(of: ":") {
                key = String(content[..<colon])
                value = content[content.index(after: colon)...].drop { $0 == " " }
                if key == "robotstxt" { current.robots = "" }
            }
            guard value.hasPrefix("\"") || key == "expected_outcome" else { continue }
            let string = JSON.parse(Array(value.utf8)).string ?? ""
            switch key {
            case "robotstxt": current.robots += string
            case "testurl": current.url = string
            case "useragent": current.agent = string
            case "expected_outcome":
                current.isAllowed = value.hasPrefix("ALLOWED")
                cases.append(current)
                key = ""
            default: break
            }
        }
        return cases
    }
}
