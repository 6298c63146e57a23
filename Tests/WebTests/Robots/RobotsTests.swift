import Testing
import Web

@Suite struct RobotsTests {
    private func robots(_ text: String) -> Robots { Robots(Array(text.utf8)) }

    @Test func `groups of one agent are taken together, those of the star only without one`() {
        let robots = robots(
            "User-agent: *\nDisallow: /\n\nuser-agent: tenure\nDisallow: /a\nCrawl-delay: 2.5\n"
                + "\nUser-Agent: Tenure/2.0\nDisallow: /b")
        #expect(robots.isAllowed(path: "/c", userAgent: "Tenure/1.0 (+http://x)"))
        #expect(!robots.isAllowed(path: "/a", userAgent: "Tenure"))
        #expect(!robots.isAllowed(path: "/b", userAgent: "Tenure"))
        #expect(!robots.isAllowed(path: "/c", userAgent: "Other"))
        #expect(robots.policy(for: "tenure").crawlDelay == .milliseconds(2500))
        #expect(robots.policy(for: "other").crawlDelay == nil)
    }

    @Test(arguments: [
        ("/a*b$", "/axxb", false), ("/a*b$", "/axxbc", true), ("/*.php", "/x/y.php?z", false),
        ("/a*b*c", "/a1b2", true), ("/a*b*c", "/abbc", false), ("*b", "/ab", false),
        ("/a$b", "/a$b", false), ("/$", "/", false), ("/$", "/a", true), ("*", "/", false),
        ("/%7ejoe", "/~joe", false), ("/~joe", "/%7Ejoe", false), ("/a%2fb", "/a%2Fb", false),
        ("/a%2fb", "/a/b", true), ("/ü", "/%C3%BC", false), ("/a**b", "/acb", false),
        ("/a*$", "/abc", false),
    ])
    func `patterns`(pattern: String, path: String, isAllowed: Bool) {
        let robots = robots("User-agent: *\nDisallow: \(pattern)")
        #expect(robots.isAllowed(path: path, userAgent: "x") == isAllowed)
    }

    @Test(arguments: [
        ("Allow: /a/index.html", "/a/", true), ("Allow: /a/index.html", "/a/b", false),
        ("Allow: /*/index.htm$", "/x/", true), ("Disallow: /x", "/a/index.html", false),
        ("Allows: /a", "/a", true), ("allow /a", "/a", true), ("allow /a b", "/a", false),
    ])
    func `what is allowed in a site that is closed`(line: String, path: String, isAllowed: Bool) {
        let robots = robots("User-agent: *\nDisallow: /\n\(line)")
        #expect(robots.isAllowed(path: path, userAgent: "x") == isAllowed)
    }

    @Test func `a URL is matched with its query and without its fragment`() throws {
        let robots = robots("User-agent: *\nDisallow: /a?b$")
        let url = try WebURL.parse("http://h/a?b#c")
        #expect(!robots.isAllowed(url, userAgent: "x"))
    }

    @Test func `a byte order mark, odd newlines and comments do no harm`() {
        let robots = robots(
            "\u{FEFF}User-agent: * # all\rDisallow: /a # this\r\nSitemap: http://s#x")
        #expect(!robots.isAllowed(path: "/a", userAgent: "x"))
        #expect(robots.sitemaps == ["http://s"])
    }

    @Test func `what is behind the limit isn't read, nor the line that it cuts`() {
        var text = "User-agent: *\nDisallow: /a\n"
        text += String(repeating: "#\n", count: Robots.maxBytes / 2 - text.utf8.count / 2 - 4)
        text += "Disallow: /bcdefghij\n"
        let robots = robots(text)
        #expect(robots.isTruncated)
        #expect(!robots.isAllowed(path: "/a", userAgent: "x"))
        #expect(robots.isAllowed(path: "/bcdefghij", userAgent: "x"))
    }

    @Test func `nothing in it allows everything`() {
        #expect(robots("").isAllowed(path: "/a", userAgent: "x"))
        #expect(robots("<html>not found</html>").isAllowed(path: "/a", userAgent: "x"))
    }
}
