import Tenure
import Testing

@testable import TenureWorker

@Suite struct ClaimSweepTests {
    private static let start = ContinuousClock.now

    private static func sweep(_ costs: Duration...) -> ClaimSweep {
        var sweep = ClaimSweep()
        let request = ClaimRequest(session: SessionID(1), queue: "q", kinds: [], wanted: 10)
        for cost in costs { sweep.claimed(by: request, took: cost, at: start) }
        return sweep
    }

    @Test func `while looks at the head are cheap all claims begin there`() {
        let sweep = Self.sweep(.milliseconds(2), .milliseconds(9))
        #expect(!sweep.usesPosition(at: Self.start))
        #expect(sweep.start(at: Self.start) == nil)
    }

    @Test func `dear looks take a fortieth of the time`() {
        let sweep = Self.sweep(.milliseconds(100), .milliseconds(120))
        #expect(sweep.usesPosition(at: Self.start))
        #expect(sweep.restOfHead(at: Self.start) == .seconds(4))
        #expect(sweep.start(at: Self.start + .milliseconds(3999)) != nil)
        #expect(sweep.start(at: Self.start + .seconds(4)) == nil)
    }

    @Test func `what was passed by waits for fifteen seconds, and no longer`() {
        let sweep = Self.sweep(.seconds(1), .seconds(1))
        #expect(sweep.restOfHead(at: Self.start) == ClaimSweep.longestRest)
    }

    /// A job that was passed by would have waited for a minute.
    @Test func `a disk that stalls under one look says nothing of the next`() {
        #expect(!Self.sweep(.milliseconds(2), .seconds(6)).usesPosition(at: Self.start))
        let sweep = Self.sweep(.milliseconds(100), .seconds(6))
        #expect(sweep.restOfHead(at: Self.start) == .seconds(4))
    }

    @Test func `looks that are dear again and again leave most of the time to others`() {
        let sweep = Self.sweep(.seconds(6), .seconds(7))
        #expect(sweep.restOfHead(at: Self.start) == .seconds(60))
    }

    /// Its answer may have moved the position behind jobs that it did not get.
    @Test func `after a claim that came to nothing the next one begins at the head`() {
        var sweep = Self.sweep(.seconds(1), .seconds(1))
        #expect(sweep.start(at: Self.start + .seconds(1)) != nil)
        sweep.lost()
        #expect(sweep.start(at: Self.start + .seconds(1)) == nil)
    }

    /// What was claimed last was due at a time that is still to come.
    @Test func `after the clock was set back claims begin at the head until it has caught up`() {
        var sweep = Self.sweep(.seconds(1), .seconds(1))
        sweep.clockWasSetBack(by: .seconds(60), at: Self.start)
        sweep.clockWasSetBack(by: .seconds(5), at: Self.start)
        #expect(sweep.start(at: Self.start + .seconds(59)) == nil)
        #expect(!sweep.usesPosition(at: Self.start + .seconds(59)))
        let request = ClaimRequest(session: SessionID(1), queue: "q", kinds: [], wanted: 10)
        sweep.claimed(by: request, took: .seconds(1), at: Self.start + .seconds(59))
        #expect(sweep.start(at: Self.start + .seconds(60)) != nil)
    }
}
