import Testing

@testable import TenurePostgres

@Suite struct AbsenceReportTests {
    private let start = ContinuousClock.now

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    @Test func `An absence is said once, once a minute, and when it is over`() {
        var report = AbsenceReport()
        #expect(report.succeeded(at: start) == nil)
        #expect(report.failed(at: after(0)) == .away)
        for second in 1..<60 { #expect(report.failed(at: after(second)) == nil) }
        #expect(report.failed(at: after(60)) == .stillAway(tries: 61, since: .seconds(60)))
        #expect(report.failed(at: after(90)) == nil)
        #expect(report.succeeded(at: after(95)) == .back(tries: 62, after: .seconds(95)))
        #expect(report.succeeded(at: after(96)) == nil)
    }

    @Test func `A server that is now there and now away is one piece of news a minute`() {
        var report = AbsenceReport()
        var lines = 0
        for second in 0..<120 {
            if report.failed(at: after(second)) != nil { lines += 1 }
            if report.succeeded(at: after(second)) != nil { lines += 1 }
        }
        #expect(lines == 4)
    }
}
