import Tenure
import Testing

@testable import TenureWorker

@Suite struct ClaimDemandTests {
    private static let start = ContinuousClock.now

    /// A demand that has seen `perSecond` jobs end for a tenth of a second.
    private static func demand(slots: Int = 10, perSecond: Int) -> ClaimDemand {
        var demand = ClaimDemand(slots: slots)
        for step in 0...20 {
            demand.ended(perSecond / 200, at: start + .milliseconds(5 * step))
        }
        return demand
    }

    @Test func `slow jobs are taken as slots come free, and none ahead`() {
        let demand = Self.demand(perSecond: 0)
        #expect(demand.wanted(running: 0, buffered: 0, mayPrefetch: true) == 10)
        #expect(demand.wanted(running: 8, buffered: 0, mayPrefetch: true) == 2)
        #expect(demand.wanted(running: 10, buffered: 0, mayPrefetch: true) == 0)
    }

    @Test func `fast jobs are taken ahead, before the last ones are done`() {
        let demand = Self.demand(perSecond: 50_000)
        #expect(demand.wanted(running: 10, buffered: 0, mayPrefetch: true) == ClaimDemand.most)
        #expect(demand.wanted(running: 10, buffered: 400, mayPrefetch: true) == ClaimDemand.most)
        #expect(demand.wanted(running: 10, buffered: 800, mayPrefetch: true) == 0)
    }

    @Test func `no more is ahead than ends in a moment`() {
        let demand = Self.demand(perSecond: 1000)
        let wanted = demand.wanted(running: 10, buffered: 0, mayPrefetch: true)
        #expect((40...50).contains(wanted), "\(wanted)")
        #expect(demand.wanted(running: 10, buffered: 40, mayPrefetch: true) == 0)
    }

    @Test func `where answers take long, more is taken ahead, up to a second's worth`() {
        var demand = Self.demand(perSecond: 200)
        let soon = demand.wanted(running: 10, buffered: 0, mayPrefetch: true)
        for _ in 0..<10 { demand.claimed(in: .milliseconds(200)) }
        let late = demand.wanted(running: 10, buffered: 0, mayPrefetch: true)
        for _ in 0..<10 { demand.claimed(in: .seconds(20)) }
        let latest = demand.wanted(running: 10, buffered: 0, mayPrefetch: true)
        #expect((8...10).contains(soon) && (70...80).contains(late), "\(soon), \(late)")
        #expect((180...200).contains(latest), "\(latest)")
    }

    @Test func `jobs with lanes start when they are claimed`() {
        let demand = Self.demand(perSecond: 50_000)
        #expect(demand.wanted(running: 6, buffered: 0, mayPrefetch: false) == 4)
        #expect(demand.wanted(running: 10, buffered: 0, mayPrefetch: false) == 0)
    }

    @Test func `a busy worker's claims for lanes wait for more free slots, for a moment`() throws {
        var demand = Self.demand(perSecond: 1000)
        let sent = Self.start + .milliseconds(200)
        #expect(demand.gathers(1, mayPrefetch: false, at: sent) == nil)
        demand.claims(at: sent)
        for _ in 0..<10 { demand.claimed(in: .milliseconds(1)) }
        // Twice as long ago as an answer takes.
        let turn = try #require(demand.gathers(1, mayPrefetch: false, at: sent))
        #expect((1900...2000).contains(sent.duration(to: turn) / .microseconds(1)))
        #expect(demand.gathers(1, mayPrefetch: false, at: sent + .milliseconds(2)) == nil)
        // Half of the slots are free; jobs without lanes are claimed ahead anyway.
        #expect(demand.gathers(5, mayPrefetch: false, at: sent) == nil)
        #expect(demand.gathers(1, mayPrefetch: true, at: sent) == nil)
        // A slow database makes nobody wait for long.
        for _ in 0..<10 { demand.claimed(in: .seconds(1)) }
        #expect(demand.gathers(1, mayPrefetch: false, at: sent) == sent + .milliseconds(5))
    }

    @Test func `jobs that turn out slow end the reach`() {
        var demand = Self.demand(perSecond: 50_000)
        demand.slowDown()
        #expect(demand.wanted(running: 10, buffered: 0, mayPrefetch: true) == 0)
    }

    @Test func `what is beyond the free slots is ahead`() {
        let demand = Self.demand(perSecond: 50_000)
        #expect(demand.ahead(of: 500, running: 2, buffered: 3) == 495)
        #expect(demand.ahead(of: 5, running: 2, buffered: 3) == 0)
        #expect(demand.ahead(of: 40, running: 10, buffered: 4) == 40)
    }

    @Test func `what begins soon is less the longer nothing has ended`() {
        let demand = Self.demand(perSecond: 50_000)
        let last = Self.start + .milliseconds(100)
        #expect(demand.soon(at: last) > 200)
        #expect(demand.soon(at: last + .milliseconds(100)) < 10)
        #expect(demand.soon(at: last + .seconds(10)) == 0)
    }

    private static func request(_ wanted: Int, ahead: Int) -> ClaimRequest {
        ClaimRequest(
            session: SessionID(1), queue: .default, kinds: [], wanted: wanted, ahead: ahead)
    }

    private static func glance(_ count: Int) -> ClaimGlance {
        var glance = ClaimGlance()
        for number in 1...count { glance.add(Fence(Int64(number))) }
        return glance
    }

    @Test func `a claim that was cut short is followed by one for free slots alone`() {
        var state = LocalQueue.State(demand: Self.demand(perSecond: 50_000))
        state.answered(Self.request(500, ahead: 490), Self.glance(10))
        #expect(!state.isDrained && !state.mayClaimAhead && state.wanted == 10)
        state.answered(Self.request(10, ahead: 0), Self.glance(10))
        #expect(!state.isDrained && state.mayClaimAhead && state.wanted == ClaimDemand.most)
        state.answered(Self.request(10, ahead: 0), Self.glance(3))
        #expect(state.isDrained)
    }

    @Test func `behind jobs of lanes nothing is claimed ahead, before they are read, too`() {
        var state = LocalQueue.State(demand: Self.demand(perSecond: 50_000))
        var laned = Self.glance(10)
        laned.pass(laneInTurn: nil)
        state.answered(Self.request(10, ahead: 0), laned)
        #expect(!state.isDrained && !state.mayClaimAhead && state.wanted == 10)
    }

    @Test func `a claim that left free slots empty has met the end of the line`() {
        var state = LocalQueue.State(demand: Self.demand(perSecond: 50_000))
        state.answered(Self.request(500, ahead: 490), Self.glance(9))
        #expect(state.isDrained)
    }
}
