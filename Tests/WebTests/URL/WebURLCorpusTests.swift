import Testing

@testable import Web

@Suite struct WebURLCorpusTests {
    @Test func `every case of the public URL suite comes out as it says`() {
        guard let cases = Corpora.json("url/urltestdata.json")?.array else { return }
        var tally = Tally("url/urltestdata")
        for item in cases {
            guard let input = item["input"]?.string else { continue }
            let base = item["base"]?.string
            let url: WebURL?
            if let base {
                url = WebURL(base).flatMap { WebURL(input, base: $0) }
            } else {
                url = WebURL(input, base: nil)
            }
            let problem = difference(url, item)
            let label = "\(input.debugDescription) base \(base ?? "-")"
            tally.check(problem == nil, "\(label): \(problem!)")
        }
        tally.finish()
    }

    private func difference(_ url: WebURL?, _ item: JSON) -> String? {
        if item["failure"]?.bool == true {
            return url == nil ? nil : "parsed as \(url!.href)"
        }
        guard let url else { return "failed, should be \(item["href"]?.string ?? "?")" }
        var port = ""
        if let number = url.port { port = String(number) }
        let host = url.host ?? ""
        let parts: [(String, String)] = [
            ("href", url.href), ("protocol", url.scheme + ":"), ("username", url.username),
            ("password", url.password), ("hostname", host), ("port", port),
            ("host", port.isEmpty ? host : "\(host):\(port)"), ("pathname", url.path),
            ("search", prefixed("?", url.query)), ("hash", prefixed("#", url.fragment)),
            ("origin", url.origin),
        ]
        for (name, value) in parts {
            if let expected = item[name]?.string, expected != value {
                return "\(name) is \(value), should be \(expected)"
            }
        }
        return WebURL(url.href) == url ? nil : "not stable: \(url.href)"
    }

    private func prefixed(_ mark: String, _ part: String?) -> String {
        guard let part, !part.isEmpty else { return "" }
        return mark + part
    }

    @Test(arguments: ["url/toascii", "url/IdnaTestV2"])
    func `domain names become ASCII as the suite says`(file: String) {
        guard let cases = Corpora.json("\(file).json")?.array else { return }
        var tally = Tally(file)
        for item in cases {
            guard let input = item["input"]?.string else { continue }
            let expected = item["output"]?.string
            let host = WebURL("https://\(input)/x")?.host
            tally.check(
                host == expected,
                "\(input.debugDescription): \(host ?? "nil"), should be \(expected ?? "nil")"
                    + " \(item["comment"]?.string ?? "")")
        }
        tally.finish()
    }

    @Test func `percent-encoding is that of UTF-8`() {
        guard let cases = Corpora.json("url/percent-encoding.json")?.array else { return }
        var tally = Tally("url/percent-encoding")
        for item in cases {
            guard let input = item["input"]?.string else { continue }
            let expected = item["output"]?["utf-8"]?.string
            let url = WebURL("https://doesnotmatter.invalid/?\(input)#\(input)")
            tally.check(
                url?.query == expected && url?.fragment == expected,
                "\(input.debugDescription): \(url?.href ?? "nil")")
        }
        tally.finish()
    }
}
