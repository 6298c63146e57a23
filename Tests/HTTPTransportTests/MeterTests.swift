import Testing

@testable import HTTPTransport

@Suite struct MeterTests {
    private let start = ContinuousClock.now

    @Test func `a body may grow two hundredfold, and any small one more`() {
        var meter = BodyMeter(limits: .article)
        #expect(meter.count(decoded: 1 << 20, wire: 100) == nil)
        #expect(meter.count(decoded: 1, wire: 100) == .ratio(200))
        var fair = BodyMeter(limits: .article)
        #expect(fair.count(decoded: 2 << 20, wire: 10486) == nil)
        #expect(fair.count(decoded: 1000, wire: 10486) == .ratio(200))
    }

    @Test func `bytes are capped on the wire and decoded`() {
        var limits = HTTPLimits()
        limits.wireBytes = 10
        limits.decodedBytes = 20
        var meter = BodyMeter(limits: limits)
        #expect(meter.count(decoded: 20, wire: 10) == nil)
        #expect(meter.count(decoded: 0, wire: 11) == .wire(10))
        var decoded = BodyMeter(limits: limits)
        #expect(decoded.count(decoded: 21, wire: 10) == .decoded(20))
    }

    @Test func `a stall is noticed within nine eighths of its window`() {
        var meter = StallMeter(window: .seconds(8), bytesPerSecond: 100, now: start, bytes: 0)
        for second in 1...20 {
            let isStalled = meter.isStalled(now: start + .seconds(second), bytes: second * 100)
            #expect(!isStalled, "second \(second)")
        }
        let stalledAt = (21...40).first { second in
            meter.isStalled(now: start + .seconds(second), bytes: 2000)
        }
        #expect(stalledAt == 21)
    }

    @Test func `a burst now and then is as good as a steady stream`() {
        var meter = StallMeter(window: .seconds(8), bytesPerSecond: 100, now: start, bytes: 0)
        for second in 1...40 {
            let bytes = (second / 6 + 1) * 900
            let isStalled = meter.isStalled(now: start + .seconds(second), bytes: bytes)
            #expect(!isStalled, "second \(second)")
        }
    }

    @Test func `each phase has its own deadline`() {
        var clock = TransferClock(limits: .article, start: start)
        #expect(clock.check(now: start + .seconds(9.9), bytes: 0) == nil)
        #expect(clock.check(now: start + .seconds(10), bytes: 0)?.code == .dnsTemporary)
        clock.resolved(now: start + .seconds(1))
        #expect(clock.connectBudget(now: start + .seconds(1)) == .seconds(9))
        #expect(clock.check(now: start + .seconds(10), bytes: 0)?.code == .connectTimeout)
        clock.requestGoesOut(now: start + .seconds(2))
        #expect(clock.nextCheck == start + .seconds(22))
        #expect(clock.check(now: start + .seconds(22), bytes: 0)?.code == .timeoutFirstByte)
        clock.received(now: start + .seconds(3))
        #expect(clock.timings.firstByte == .seconds(1))
        #expect(clock.check(now: start + .seconds(23), bytes: 20 << 10) == nil)
        #expect(clock.check(now: start + .seconds(46), bytes: 20 << 10)?.code == .stalled)
        #expect(clock.check(now: start + .seconds(120), bytes: 1 << 30)?.code == .totalTimeout)
    }

    @Test func `while the reader lags only the total time runs`() {
        var clock = TransferClock(limits: .article, start: start)
        clock.resolved(now: start)
        clock.requestGoesOut(now: start)
        clock.received(now: start)
        clock.paused()
        #expect(clock.check(now: start + .seconds(100), bytes: 1) == nil)
        clock.resumed(now: start + .seconds(100), bytes: 1)
        #expect(clock.check(now: start + .seconds(110), bytes: 1) == nil)
        #expect(clock.check(now: start + .seconds(120), bytes: 1)?.code == .totalTimeout)
    }

    @Test func `limits can only be lowered`() {
        var asked = HTTPLimits()
        asked.total = .seconds(5)
        asked.wireBytes = 1 << 40
        asked.stallBytesPerSecond = 1
        let limits = HTTPLimits.article.lowered(by: asked)
        #expect(limits.total == .seconds(5))
        #expect(limits.wireBytes == 32 << 20)
        #expect(limits.stallBytesPerSecond == 1024)
    }
}
