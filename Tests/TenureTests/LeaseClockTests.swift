import Tenure
import Testing

@Suite struct LeaseClockTests {
    private static let session = SessionID(3)
    private static let start = ContinuousClock.now

    private static func clock(lease: Duration = .seconds(30)) throws -> LeaseClock {
        LeaseClock(rule: try LeaseRule(length: lease))
    }

    private static func at(_ seconds: Double) -> ContinuousClock.Instant {
        start + .seconds(seconds)
    }

    private static func renewed(
        _ clock: inout LeaseClock, _ session: SessionID, _ sent: ContinuousClock.Instant
    ) -> Bool {
        clock.renewed(session, sent: sent)
    }

    private static func expires(_ clock: inout LeaseClock, _ now: ContinuousClock.Instant) -> Bool {
        clock.expires(at: now)
    }

    @Test func `the right lasts until a margin before the lease is over, counted from the sending`()
        throws
    {
        var clock = try Self.clock()
        clock.opened(Self.session, sent: Self.at(0))
        #expect(clock.isHeld(at: Self.at(19.9)))
        #expect(!clock.isHeld(at: Self.at(20)))
        #expect(!Self.renewed(&clock, Self.session, Self.at(5)))
        #expect(clock.isHeld(at: Self.at(24.9)))
        #expect(!clock.isHeld(at: Self.at(25)))
    }

    @Test func `an answer that comes after a later one shortens nothing`() throws {
        var clock = try Self.clock()
        clock.opened(Self.session, sent: Self.at(0))
        _ = clock.renewed(Self.session, sent: Self.at(10))
        _ = clock.renewed(Self.session, sent: Self.at(5))
        #expect(clock.isHeld(at: Self.at(29)))
    }

    @Test func `it expires once, and a beat that was acknowledged all the same regains it`() throws
    {
        var clock = try Self.clock()
        clock.opened(Self.session, sent: Self.at(0))
        #expect(!Self.expires(&clock, Self.at(10)))
        #expect(Self.expires(&clock, Self.at(20)))
        #expect(!Self.expires(&clock, Self.at(21)))
        #expect(!clock.isHeld(at: Self.at(21)))
        #expect(clock.session == Self.session)
        #expect(Self.renewed(&clock, Self.session, Self.at(22)))
        #expect(clock.isHeld(at: Self.at(23)))
    }

    @Test func `another session's beat renews nothing, and what ended stays ended`() throws {
        var clock = try Self.clock()
        clock.opened(Self.session, sent: Self.at(0))
        #expect(!Self.renewed(&clock, SessionID(4), Self.at(15)))
        #expect(!clock.isHeld(at: Self.at(21)))
        clock.ended()
        #expect(!Self.renewed(&clock, Self.session, Self.at(22)))
        #expect(clock.session == nil)
    }

    @Test(arguments: [1, 2, 3, 10, 30, 60, 3600])
    func `margins scale with the lease, and stay safe`(seconds: Int) throws {
        let rule = try LeaseRule(length: .seconds(seconds))
        #expect(rule.margin > rule.stopDelay + rule.length * 0.01 + .milliseconds(20))
        #expect(rule.cancelTime(sent: Self.start) + rule.stopDelay < Self.start + rule.length)
        #expect(rule.beatInterval + rule.beatDeadline < rule.length - rule.margin)
    }

    @Test(arguments: [Duration.milliseconds(999), .seconds(3601), .zero, .seconds(-1)])
    func `a lease outside its range is refused by name`(length: Duration) {
        #expect {
            _ = try LeaseRule(length: length)
        } throws: {
            "\($0)".contains("lease") && ($0 as? TenureError)?.code == .invalidConfiguration
        }
    }
}
