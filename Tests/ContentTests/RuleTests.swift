import TenureFoundation
import Testing
import Web

@testable import Content

@Suite struct RuleTests {
    @Test(
        arguments: [
            (200, false, nil), (404, false, .permanent), (410, false, .permanent),
            (403, false, .blocked), (451, true, .blocked), (429, false, .deferred),
            (503, false, .transient), (503, true, .deferred), (500, true, .transient),
            (408, false, .transient), (501, false, .permanent),
        ] as [(Int, Bool, FailureClass?)])
    func `a status means what it means`(status: Int, hasRetryAfter: Bool, expected: FailureClass?) {
        #expect(StatusRule.failure(status, hasRetryAfter: hasRetryAfter) == expected)
    }

    @Test func `a missing page is confirmed by a second look ten minutes later`() {
        let visit = Visit.failed("404", "", status: 404)
        var history = TargetHistory()
        let start = Date(timeIntervalSince1970: 0)
        #expect(history.take(visit, strict: false, now: start) == .seconds(600))
        #expect(history.state == .suspect)
        _ = history.take(visit, strict: false, now: start.addingTimeInterval(60))
        #expect(history.state == .suspect)
        #expect(history.take(visit, strict: false, now: start.addingTimeInterval(601)) == nil)
        #expect(history.state == .broken)
        #expect(history.firstBrokenAt == start)
    }

    @Test func `anything else takes three looks over a day, and recovery clears it`() {
        let visit = Visit.failed("connectRefused", "", .transient)
        var history = TargetHistory()
        let start = Date(timeIntervalSince1970: 0)
        for (hours, next) in [(0.0, 12), (12, 24), (23, 24)] {
            let again = history.take(
                visit, strict: false, now: start.addingTimeInterval(hours * 3600))
            #expect(again == .seconds(Double(next) * 3600 - hours * 3600))
            #expect(history.state == .suspect)
        }
        _ = history.take(visit, strict: false, now: start.addingTimeInterval(86_400))
        #expect(history.state == .broken)
        _ = history.take(Visit(state: .ok), strict: false, now: start.addingTimeInterval(90_000))
        #expect(history.state == .ok)
        #expect(history.failures == 0 && history.firstBrokenAt == nil)
    }

    @Test func `a bad certificate is sure at a second look, a failed handshake isn't`() {
        let start = Date(timeIntervalSince1970: 0)
        for (reason, seconds) in [("expired", 600), ("wrongHost", 600), ("handshake", 43_200)] {
            let failure: FailureClass = reason == "handshake" ? .transient : .permanent
            var history = TargetHistory()
            let again = history.take(
                .failed("tls(\(reason))", "", failure), strict: false, now: start)
            #expect(again == .seconds(seconds))
        }
    }

    @Test func `a permanent redirect has moved when it is seen twice`() throws {
        var visit = Visit(state: .redirected, code: "301", status: 301)
        visit.next = try WebURL.parse("https://a.test/new")
        var history = TargetHistory()
        // One that isn't for good is no sighting of a move.
        var passing = visit
        passing.status = 302
        for seen in [passing, visit] {
            _ = history.take(seen, strict: false, now: Date())
            #expect(history.state == .redirected)
        }
        _ = history.take(visit, strict: false, now: Date())
        #expect(history.state == .moved)
    }

    @Test func `the site is what lies below the start's folder`() throws {
        let scope = Scope(start: try WebURL.parse("https://a.test/docs/index.html"))
        func place(_ url: String) throws -> Scope.Place { scope.place(of: try WebURL.parse(url)) }
        #expect(try place("https://a.test/docs/x/y") == .inside)
        #expect(try place("https://a.test/blog") == .sameOrigin)
        #expect(try place("http://a.test/docs/") == .foreign)
        #expect(try place("https://a.test:444/docs/") == .foreign)
    }

    @Test func `a key keeps apart what differs, however long`() {
        let long = "https://a.test/" + String(repeating: "é", count: 4000)
        let keys = [JobKey.make("m", long + "1"), JobKey.make("m", long + "2")]
        #expect(keys[0] != keys[1])
        #expect(keys.allSatisfy { $0.utf8.count <= 1024 })
        #expect(JobKey.make("m", "u") == "m u")
    }
}
