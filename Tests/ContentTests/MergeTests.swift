import TenureFoundation
import Testing

@testable import Content

/// The defensive merge, rule by rule.
@Suite struct MergeTests {
    static let noon = Date(timeIntervalSince1970: 43_200)
    static let later = noon.addingTimeInterval(60)

    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        var old = KeptContent()
        var new = FetchedContent(askedAt: MergeTests.later)
        var policy = ContentFetch.Merge.defensive
        let way: Merging.Way
        var written: [FieldName: String] = [:]
        var doubt: Suspicion?
        var testDescription: String { rule }
    }

    private static func old(
        _ value: String, _ source: FieldSource = .html, words: Int = 100, doubted: Bool = false,
        askedAt: Date = noon
    ) -> KeptContent {
        KeptContent(
            askedAt: noon,
            fields: [.title: ItemField(value: value, source: source, askedAt: askedAt)],
            words: words, isDoubted: doubted)
    }

    private static func new(
        _ value: String?, words: Int = 100, complete: Bool = true, empty: Bool = false,
        _ suspicion: Suspicion? = nil, askedAt: Date = later
    ) -> FetchedContent {
        FetchedContent(
            askedAt: askedAt,
            fields: value.map { [.title: FetchedField(value: $0, source: .html)] } ?? [:],
            words: words, isEmpty: empty, isComplete: complete, suspicion: suspicion)
    }

    static let fields = [
        Case(
            rule: "an empty field is filled", new: new("a"), way: .accept, written: [.title: "a"]),
        Case(
            rule: "a field that a person edited is never overwritten",
            old: old("mine", .person), new: new("theirs"), way: .accept),
        Case(
            rule: "not even when everything is to be replaced",
            old: old("mine", .person), new: new("theirs"), policy: .replace, way: .accept),
        Case(
            rule: "a fetched field is replaced by a newer one",
            old: old("a"), new: new("b"), way: .accept, written: [.title: "b"]),
        Case(
            rule: "the same value is not written again", old: old("a"), new: new("a"),
            way: .accept),
        Case(
            rule: "a field that the new document lacks stays", old: old("a"), new: new(nil),
            way: .accept),
        Case(rule: "an empty value replaces nothing", old: old("a"), new: new(""), way: .accept),
        Case(
            rule: "what was not read completely replaces nothing",
            old: old("a"), new: new("b", complete: false), way: .accept),
        Case(
            rule: "what was not read completely fills what is empty",
            new: new("b", complete: false), way: .accept, written: [.title: "b"]),
        Case(
            rule: "an older fetch replaces nothing",
            old: old("a"), new: new("b", askedAt: noon.addingTimeInterval(-1)), way: .onlyFill),
        Case(
            rule: "a field that is newer than the document stays",
            old: old("a", askedAt: later.addingTimeInterval(1)), new: new("b"), way: .accept),
    ]

    static let suspicious = [
        Case(
            rule: "29 of 100 words are kept beside", old: old("a"), new: new("b", words: 29),
            way: .keepBeside(.shrunk)),
        Case(
            rule: "30 of 100 words are not suspicious", old: old("a"), new: new("b", words: 30),
            way: .accept, written: [.title: "b"]),
        Case(
            rule: "no body at all is kept beside", old: old("a", words: 0),
            new: new("b", words: 0, empty: true), way: .keepBeside(.shrunk)),
        Case(
            rule: "a consent wall is kept beside, however long", old: old("a"),
            new: new("b", words: 900, .consentWall), way: .keepBeside(.consentWall)),
        Case(
            rule: "a challenge is kept beside", old: old("a"), new: new("b", .challenge),
            way: .keepBeside(.challenge)),
        Case(
            rule: "a soft 404 is kept beside", old: old("a"), new: new("b", .softMissing),
            way: .keepBeside(.softMissing)),
        Case(
            rule: "without content, a consent wall is stored and doubted",
            new: new("b", .consentWall), way: .accept, written: [.title: "b"],
            doubt: .consentWall),
        Case(
            rule: "without content, a soft 404 is stored and doubted", new: new("b", .softMissing),
            way: .accept, written: [.title: "b"], doubt: .softMissing),
        Case(
            rule: "without content, a challenge is refused", new: new("b", .challenge),
            way: .refuse(.challenge)),
        Case(
            rule: "nothing is measured by content that is doubted itself",
            old: old("wall", words: 900, doubted: true), new: new("b", words: 9), way: .accept,
            written: [.title: "b"]),
        Case(
            rule: "who asks for it gets the shrunk page", old: old("a"),
            new: new("b", words: 1), policy: .replace, way: .accept, written: [.title: "b"]),
    ]

    @Test(arguments: fields + suspicious)
    func `a rule`(_ rule: Case) {
        let merge = Merging.decide(rule.new, into: rule.old, rule.policy)
        #expect(merge.way == rule.way)
        #expect(merge.changes.mapValues(\.value) == rule.written)
        #expect(merge.doubt == rule.doubt)
    }

    @Test func `missing twice a day apart is gone, and 410 at once`() {
        var seen = Sightings()
        func isGone(_ status: Int, after seconds: TimeInterval) -> Bool {
            seen.failed(status: status, now: Self.noon.addingTimeInterval(seconds))
        }
        #expect(!isGone(404, after: 0))
        #expect(!isGone(404, after: 86_399))
        #expect(!isGone(500, after: 90_000))
        #expect(isGone(404, after: 86_400))
        _ = seen.found(redirectsTo: nil, now: Self.noon)
        #expect(seen.missingSince == nil)
        #expect(!isGone(404, after: 200_000))
        #expect(isGone(410, after: 200_001))
    }

    @Test func `a redirect for good has moved when it is seen twice, to the same place`() {
        var seen = Sightings()
        func hasMoved(_ target: String?, _ now: Date) -> Bool {
            seen.found(redirectsTo: target, now: now)
        }
        #expect(!hasMoved("https://a.test/1", Self.noon))
        #expect(!hasMoved("https://a.test/2", Self.noon))
        #expect(hasMoved("https://a.test/2", Self.noon))
        #expect(hasMoved("https://a.test/2", Self.later))
        #expect(seen.movedAt == Self.noon)
        #expect(!hasMoved(nil, Self.later))
        #expect(seen.movedAt == nil && seen.redirectTo == nil)
    }
}
