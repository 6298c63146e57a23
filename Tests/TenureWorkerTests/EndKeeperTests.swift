import Tenure
import Testing

@testable import TenureWorker

/// How many waiters are let go at a time.
@Suite struct EndKeeperTests {
    @Test func `rounds grow while jobs are let go, and are short where some are cancelled`() {
        let released = SettledEnds([.released(JobID(), queue: "q"), .more])
        var rounds = [EndKeeper.firstRound]
        for _ in 0..<4 { rounds.append(EndKeeper.nextRound(after: rounds.last!, released)) }
        #expect(rounds == [1000, 2000, 4000, 8000, 8000])
        let cancelled = SettledEnds([
            .released(JobID(), queue: "q"), .cancelled(JobID(), batch: nil), .more,
        ])
        #expect(EndKeeper.nextRound(after: 8000, cancelled) == 1000)
    }
}
