import Testing
import Web

@Suite struct WebURLSetterCorpusTests {
    @Test func `every case of the public setter suite comes out as it says`() {
        guard let suite = Corpora.json("url/setters_tests.json") else { return }
        var tally = Tally("url/setters_tests")
        for (name, cases) in suite.members where name != "comment" {
            for item in cases.array { check(name, item, &tally) }
        }
        tally.finish()
    }

    private func check(_ name: String, _ item: JSON, _ tally: inout Tally) {
        guard let href = item["href"]?.string, let value = item["new_value"]?.string,
            let url = WebURL(href), let expected = item["expected"]
        else { return tally.check(false, "unreadable case of \(name)") }
        let label = "\(name) of \(href) = \(value.debugDescription)"
        let result: WebURL
        if name == "href" {
            result = WebURL(value) ?? url
        } else if let part = Self.parts[name] {
            result = url.setting(part, to: value)
        } else {
            return tally.check(false, "\(label): unknown setter")
        }
        let wrong = expected.members.filter { result.member($0.0) != $0.1.string }
        tally.check(
            wrong.isEmpty && (name == "href" || WebURL(result.href)?.href == result.href),
            "\(label): \(result.href), should be \(wrong)")
    }

    private static let parts: [String: WebURL.Part] = [
        "protocol": .scheme, "username": .username, "password": .password, "host": .host,
        "hostname": .hostname, "port": .port, "pathname": .path, "search": .query,
        "hash": .fragment,
    ]

    @Test(arguments: [
        ("http://a/", WebURL.Part.port, "65536", "http://a/"),
        ("http://a:1/", .port, "00080", "http://a/"),
        ("file:///x", .host, "LOCALHOST/y", "file:///x"),
        ("file:///x", .host, "h:1", "file:///x"),
        ("file:///x", .port, "1", "file:///x"),
        ("sc://u@h/", .host, "", "sc://u@h/"),
        ("sc://h:1/", .hostname, "", "sc://h:1/"),
        ("mailto:a", .path, "b", "mailto:a"),
        ("a:b", .fragment, "c d", "a:b#c%20d"),
        ("a:/b", .path, "", "a:/"),
    ])
    func `a part that can't be set leaves the URL as it is`(
        href: String, part: WebURL.Part, value: String, expected: String
    ) {
        #expect(WebURL(href)?.setting(part, to: value).href == expected)
    }
}

extension WebURL {
    /// A part by the name that the standard's API gives it.
    fileprivate func member(_ name: String) -> String? {
        func prefixed(_ mark: String, _ part: String?) -> String {
            part.map { $0.isEmpty ? "" : mark + $0 } ?? ""
        }
        let port = port.map { String($0) } ?? ""
        switch name {
        case "href": return href
        case "protocol": return scheme + ":"
        case "username": return username
        case "password": return password
        case "hostname": return host ?? ""
        case "port": return port
        case "host": return (host ?? "") + (port.isEmpty ? "" : ":" + port)
        case "pathname": return path
        case "search": return prefixed("?", query)
        case "hash": return prefixed("#", fragment)
        case "origin": return origin
        default: return nil
        }
    }
}
