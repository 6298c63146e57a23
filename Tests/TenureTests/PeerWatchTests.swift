import Tenure
import Testing

@Suite struct PeerWatchTests {
    private typealias Watch = PeerWatch<Moment>
    private static let peer = SessionID(7)

    /// What a watcher concludes from the answers: (second of arrival, beat seen).
    private static func conclusions(
        _ answers: [(Double, Int64)], lease: Duration = .seconds(30),
        longestGap: Duration = .seconds(13)
    ) -> [Bool] {
        var watch = Watch(longestGap: longestGap)
        return answers.map { second, beat in
            let dead = watch.see(
                [(session: peer, beat: beat, lease: lease)], at: Moment(time: .seconds(second)))
            return !dead.isEmpty
        }
    }

    @Test func `a peer whose beat goes on is alive`() {
        let answers = (0..<20).map { (Double($0) * 5, Int64($0)) }
        #expect(Self.conclusions(answers).allSatisfy { !$0 })
    }

    @Test func `a beat has to stand still for the whole lease`() {
        let answers: [(Double, Int64)] = [
            (0, 1), (5, 2), (10, 2), (15, 2), (20, 2), (25, 2), (30, 2), (34.9, 2), (35, 2),
        ]
        #expect(Self.conclusions(answers) == Array(repeating: false, count: 8) + [true])
    }

    @Test func `one beat, however late, is life`() {
        let answers: [(Double, Int64)] = [
            (0, 1), (10, 1), (20, 1), (29, 2), (35, 2), (45, 2), (55, 2), (58, 2), (59, 2),
        ]
        #expect(Self.conclusions(answers) == Array(repeating: false, count: 8) + [true])
    }

    @Test func `after an outage silence is counted anew: nobody could beat`() {
        let answers: [(Double, Int64)] = [(0, 1), (5, 1), (60, 1), (70, 1), (80, 1), (90, 1)]
        #expect(Self.conclusions(answers) == [false, false, false, false, false, true])
    }

    @Test func `a short lease is judged by its own length`() {
        let answers: [(Double, Int64)] = [(0, 1), (1, 1), (2, 1), (3, 1)]
        #expect(Self.conclusions(answers, lease: .seconds(3)) == [false, false, false, true])
    }

    @Test func `the next decision is the earliest silence that can be long enough`() {
        var watch = Watch(longestGap: .seconds(13))
        _ = watch.see(
            [(SessionID(1), 4, .seconds(30)), (SessionID(2), 9, .seconds(3))],
            at: Moment(time: .seconds(100)))
        #expect(watch.nextDecision == Moment(time: .seconds(103)))
        _ = watch.see([(SessionID(1), 4, .seconds(30))], at: Moment(time: .seconds(105)))
        #expect(watch.nextDecision == Moment(time: .seconds(130)))
        _ = watch.see([], at: Moment(time: .seconds(110)))
        #expect(watch.nextDecision == nil)
    }
}
