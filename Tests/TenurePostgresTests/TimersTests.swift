import Testing

@testable import TenurePostgres

@Suite struct TimersTests {
    @Test func `Actions come out in time order, without the cancelled ones`() {
        var generator = SystemRandomNumberGenerator()
        var timers = Timers<Int64>()
        var wanted: [Int64] = []
        for at in (0..<2_000).shuffled(using: &generator) {
            let id = timers.add(at: Instant(nanoseconds: Int64(at)), Int64(at))
            if at.isMultiple(of: 3) {
                timers.cancel(id)
            } else {
                wanted.append(Int64(at))
            }
        }
        let early = timers.due(at: Instant(nanoseconds: 999))
        let rest = timers.due(at: Instant(nanoseconds: .max))
        #expect(early + rest == wanted.sorted())
        #expect(early.allSatisfy { $0 <= 999 })
        #expect(timers.next == nil)
    }
}
