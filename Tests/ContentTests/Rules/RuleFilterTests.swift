import Tenure
import TenureFoundation
import Testing

@testable import Content

@Suite struct RuleFilterTests {
    private func rules(
        include: [String] = [], exclude: [String] = [], foreign: [String] = []
    ) -> CheckRules {
        var rules = CheckRules()
        (rules.include, rules.exclude, rules.foreign) = (include, exclude, foreign)
        return rules
    }

    @Test(
        arguments: [
            ([], [], "https://a.test/x", false),
            ([], ["*/x"], "https://a.test/x", true), ([], ["*/x"], "https://a.test/y", false),
            (["*/y"], [], "https://a.test/x", true), (["*/y"], [], "https://a.test/y", false),
            (["*/x"], ["https://a.test/*"], "https://a.test/x", false),
            (["*/x"], ["https://a.test/*"], "https://a.test/y", true),
            (["*/x"], ["https://a.test/*"], "https://b.test/y", false),
        ] as [([String], [String], String, Bool)])
    func `include makes exceptions from exclude, and alone says what is looked at`(
        include: [String], exclude: [String], url: String, isExcluded: Bool
    ) {
        let filter = RuleFilter(rules(include: include, exclude: exclude), root: nil)
        #expect(filter.excludes(url) == isExcluded)
    }

    @Test func `of a folder patterns may be for paths below it`() {
        let filter = RuleFilter(rules(exclude: ["drafts/*"]), root: "http://127.0.0.1:1/")
        #expect(filter.excludes("http://127.0.0.1:1/drafts/a.html", isGiven: true))
        #expect(!filter.excludes("http://127.0.0.1:1/a/drafts/a.html"))
        #expect(!RuleFilter(rules(exclude: ["drafts/*"]), root: nil).excludes("http://a/drafts/a"))
    }

    @Test(arguments: [
        ("403", [403], [402, 404]), ("200..=299", [200, 299], [199, 300]),
        ("200..300", [200, 299], [300]), ("..=204", [100, 204], [205]),
        ("500..", [500, 999], [499]), ("999", [999], [998]),
    ])
    func `a status is one, or a range with its end or without`(
        text: String, accepted: [Int], others: [Int]
    ) throws {
        let range = try StatusRange(text)
        #expect(accepted.allSatisfy(range.contains) && !others.contains(where: range.contains))
        #expect(try StatusRange(range.description) == range)
    }

    @Test(arguments: ["", "99", "1000", "40x", "300..200", "200..200", "-1", "4e2", "٤٠٤"])
    func `what is no status is refused`(text: String) {
        #expect(throws: ContentError.self) { try StatusRange(text) }
    }

    @Test func `rules come back from JSON as they were, secrets as names`() throws {
        var request = try RequestRule(to: "https://a.test/")
        request.headers = [RequestRule.Field("X-A", .text("1"))]
        request.user = .text("crawler")
        request.password = try RuleValue("env:TENURE_SECRET_A")
        request.cookies = [RequestRule.Field("s", try RuleValue("file:session"))]
        var rules = rules(include: ["a"], exclude: ["b"], foreign: ["c"])
        rules.accept = [AcceptRule([try StatusRange("200..=299")], at: "*")]
        rules.requests = [request]
        rules.ignore = [KeptIgnoreRule(target: "*", reason: "r", source: "f:1", madeBy: "ada")]
        let json = try JSONEncoder().encode(try rules.validated())
        #expect(try JSONDecoder().decode(CheckRules.self, from: json) == rules)
        #expect(String(decoding: json, as: UTF8.self).contains(#""env:TENURE_SECRET_A""#))
    }

    /// A row of a check is written by others: what no file may say is refused there as well.
    @Test(arguments: [
        #"{"requests":[{"headers":[{"name":"X-A","value":"env:TENURE_SECRET_A"}],"cookies":[]}]}"#,
        #"{"requests":[{"to":"https://*.test","headers":[],"cookies":[]}]}"#,
        #"{"requests":[{"to":"https://a.test/x","headers":[],"cookies":[]}]}"#,
        #"{"requests":[{"to":"http://a.test","headers":[],"cookies":[{"name":"s","value":"1"}]}]}"#,
        #"{"requests":[{"headers":[{"name":"Host","value":"b"}],"cookies":[]}]}"#,
        #"{"requests":[{"headers":[{"name":"X\r\nY","value":"b"}],"cookies":[]}]}"#,
        #"{"requests":[{"headers":[{"name":"X","value":"b\r\nY: 1"}],"cookies":[]}]}"#,
        #"{"requests":[{"headers":[{"name":"X","value":"env:DATABASE_URL"}],"cookies":[]}]}"#,
        #"{"exclude":["a b"]}"#, #"{"exclude":[""]}"#, #"{"accept":[{"statuses":["1"]}]}"#,
        #"{"exclude":["https://a.test/?token=hunter2"]}"#, #"{"userAgent":"a\nb"}"#,
    ])
    func `a row with rules that nobody may make is refused`(json: String) throws {
        let fields = try #require(try Self.rules(with: json))
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(CheckRules.self, from: Data(fields.utf8)).validated()
        }
    }

    /// All fields of rules, with those of one of them as they are given.
    private static func rules(with given: String) throws -> String? {
        let aspects = String(decoding: try JSONEncoder().encode(CheckAspects()), as: UTF8.self)
        guard let name = given.split(separator: "\"").dropFirst().first else { return nil }
        let empty = [
            #""include":[]"#, #""exclude":[]"#, #""foreign":[]"#, #""accept":[]"#,
            #""requests":[]"#, #""ignore":[]"#, #""checksFragments":true"#,
            #""aspects":\#(aspects)"#,
        ]
        let others = empty.filter { !$0.hasPrefix("\"\(name)\"") }
        return "{" + (others + [String(given.dropFirst().dropLast())]).joined(separator: ",") + "}"
    }
}
