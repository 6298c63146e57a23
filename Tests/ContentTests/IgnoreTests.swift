import Tenure
import TenureFoundation
import Testing

@testable import Content

/// Which findings don't count, and that this is told.
@Suite struct IgnoreTests {
    @Test(arguments: [
        ("https://a.test/x", "https://a.test/x", true),
        ("https://a.test/x", "https://a.test/xy", false),
        ("https://a.test/*", "https://a.test/", true), ("*", "", true), ("", "", true),
        ("", "x", false),
        ("a*b*c", "abbc", true), ("a*b*c", "acb", false), ("*ab", "aab", true),
        ("ab*ba", "aba", false),
        ("*.pdf", "x.PDF", false), ("a.*", "ab", false), ("**a**", "bab", true),
        ("*é*", "caffé!", true),
    ])
    func `a star is any text, and all else itself`(pattern: String, text: String, fits: Bool) {
        #expect(Glob(pattern).matches(text) == fits, "\(pattern) \(text)")
    }

    @Test(.timeLimit(.minutes(1)))
    func `no pattern takes long`() {
        let pattern = Glob(String(repeating: "*a", count: 500) + "*b")
        #expect(!pattern.matches(String(repeating: "a", count: 8000)))
        #expect(
            !Glob("*" + String(repeating: "a", count: 900) + "b*").matches(
                String(repeating: "a", count: 8000)))
    }

    private func finding(_ target: String, pages: String...) -> Finding {
        Finding(
            target: "https://site.test/\(target)", file: target, code: "404", status: 404,
            detail: nil, fragment: "top", isConfirmed: true, isHard: false, firstBrokenAt: nil,
            lastOkAt: nil,
            places: pages.map {
                FindingPlace(
                    page: "https://site.test/\($0)", file: $0, line: 1, column: 1, kind: "anchor",
                    raw: "", text: nil)
            })
    }

    private func rule(
        _ target: String, code: String? = nil, page: String? = nil, hasEnded: Bool = false
    ) -> IgnoreRule {
        IgnoreRule(
            id: 1, target: target, code: code, page: page, reason: "known", madeBy: "ada",
            madeAt: Date(timeIntervalSince1970: 0), until: nil, hasEnded: hasEnded)
    }

    @Test(arguments: [
        ("https://site.test/x", true), ("https://site.test/x#top", true), ("x", true),
        ("x#*", true),
        ("site.test/x", false), ("x#bottom", false),
    ])
    func `a target is its URL or its file, with its fragment or without`(target: String, fits: Bool)
    {
        let split = IgnoreSplit([finding("x", pages: "a")], by: [rule(target)])
        #expect(split.counting.isEmpty == fits && split.ignored.count == (fits ? 1 : 0))
    }

    @Test func `a rule for a page takes its places, and leaves the others`() {
        let split = IgnoreSplit(
            [finding("x", pages: "a", "drafts/b"), finding("y", pages: "drafts/b")],
            by: [rule("*", page: "drafts/*")])
        #expect(split.counting.map { $0.places.map(\.file) } == [["a"]])
        #expect(split.ignored.map { $0.finding.places.count } == [1, 1])
    }

    @Test func `a rule for a code takes no other, and one that has ended none at all`() {
        let found = [finding("x", pages: "a")]
        #expect(IgnoreSplit(found, by: [rule("*", code: "410")]).ignored.isEmpty)
        let split = IgnoreSplit(found, by: [rule("*", hasEnded: true), rule("z", hasEnded: true)])
        #expect(split.counting.count == 1 && split.ignored.isEmpty && split.ended.count == 1)
    }

    @Test func `rules are made, listed and removed; bad ones are refused`() async throws {
        let fixture = try await ContentFixture("ignore")
        let rules = IgnoreRules(pool: fixture.pool)
        let made = try await rules.add(
            target: "https://a.test/?token=secret", page: "*", reason: "moves", by: "ada",
            until: "9999-12-31")
        #expect(made.target == "https://a.test/?token=…" && !made.hasEnded)
        #expect(try await rules.list() == [made])
        try await fixture.pool.simple("UPDATE content.ignore_rule SET until = '2026-01-01'")
        #expect(try await rules.list().map(\.hasEnded) == [true])
        #expect(try await rules.remove(#require(made.id))?.id == made.id)
        #expect(try await rules.remove(#require(made.id)) == nil)
        for until in ["2020-01-01", "2027-02-31", "tomorrow", "2027-1-1", "+027-01-01"] {
            await #expect(throws: ContentError.self, "\(until)") {
                try await rules.add(target: "*", reason: "r", by: "ada", until: until)
            }
        }
        for text in ["", "a\u{0}", String(repeating: "a", count: 1001)] {
            await #expect(throws: ContentError.self) {
                try await rules.add(target: text, reason: "r", by: "ada")
            }
        }
    }
}
