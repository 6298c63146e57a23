import Synchronization
import Tenure
import TenurePostgres
import Testing

@testable import TenureWorker

/// Answers ends as a test says, and remembers what it was asked.
private final class ScriptedStore: RunStore {
    typealias Answer = @Sendable (_ call: Int, [RunEnding]) throws -> [RunRef: EndAnswer]
    private let answer: Answer
    private let calls = Mutex<[[RunEnding]]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var asked: [[RunEnding]] { calls.withLock { $0 } }

    func end(_ endings: [RunEnding]) async throws -> [RunRef: EndAnswer] {
        let call = calls.withLock {
            $0.append(endings)
            return $0.count
        }
        return try answer(call, endings)
    }

    func complete(_ runs: [(run: RunRef, place: RowPlace?)]) async throws -> [JobID] {
        runs.map { $0.run.job }
    }
    func claim(
        _ request: ClaimRequest, answered: @escaping @Sendable (ClaimGlance) -> Void
    ) async throws -> [ClaimedJob] { [] }
    func nextDue(
        in queue: QueueName, kinds: [ReadableKind], from position: ClaimPosition?, release: String
    ) async throws -> DueTime {
        DueTime(dueIn: nil, isGuarded: false)
    }
    func verdicts(of runs: [RunRef]) async throws -> [(run: RunRef, verdict: Verdict)] { [] }
    func releaseHeld(kinds: [ReadableKind], release: String) async throws -> Int { 0 }
    func announce(_ queues: [QueueName]) async {}
    func makePartitions() async throws {}
}

private struct Silence: EventObserver { func observe(_ event: Event) {} }

@Suite struct FinisherTests {
    private static let away = PostgresError(.connectionLost, "gone")
    private static let refused = PostgresError(.server, "invalid input syntax", sqlState: "22P02")

    /// Reports three ends and returns what became of each, and all calls.
    private static func report(
        _ answer: @escaping ScriptedStore.Answer
    ) async -> (became: [RunOutcome?], asked: [[RunEnding]]) {
        let store = ScriptedStore(answer)
        let became = Mutex<[JobID: RunOutcome]>([:])
        let (settled, settle) = AsyncStream.makeStream(of: Void.self)
        let finisher = Finisher(
            store: store, time: ReactorTime(.shared), executor: PostgresReactor.shared.executor,
            observer: Silence(), completed: { _ in },
            settled: { ending, result in
                became.withLock { $0[ending.run.job] = result }
                settle.yield()
            })
        let runs = (1...3).map { RunRef(job: JobID(), fence: Fence($0)) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await finisher.run(lastWords: .seconds(1)) }
            for run in runs { finisher.report(RunEnding(run, .completed)) }
            var left = runs.count
            for await _ in settled {
                left -= 1
                if left == 0 { break }
            }
            group.cancelAll()
        }
        return (became.withLock { became in runs.map { became[$0.job] } }, store.asked)
    }

    private static func done(_ endings: [RunEnding]) -> [RunRef: EndAnswer] {
        answers(endings) { .ended(.job($0.wanted == .completed ? .completed : .retryable)) }
    }

    private static func answers(
        _ endings: [RunEnding], _ answer: (RunEnding) -> EndAnswer
    ) -> [RunRef: EndAnswer] {
        Dictionary(uniqueKeysWithValues: endings.map { ($0.run, answer($0)) })
    }

    @Test func `ends that were under way when the database went away are reported again`() async {
        let (became, asked) = await Self.report { call, endings in
            if call < 3 { throw Self.away }
            return Self.done(endings)
        }
        #expect(became == Array(repeating: .job(.completed), count: 3))
        #expect(asked.count >= 3)
    }

    @Test func `an end whose key is locked is asked for again and delays no other`() async {
        let (became, asked) = await Self.report { call, endings in
            Self.answers(endings) { ending in
                let isLocked = ending.run.fence == Fence(1) && call < 4
                return isLocked ? .busy : .ended(.job(.completed))
            }
        }
        #expect(became == Array(repeating: .job(.completed), count: 3))
        // The others were not asked for again.
        #expect(asked.flatMap { $0 }.filter { $0.run.fence == Fence(3) }.count == 1)
    }

    @Test func `an end that the database refuses is reported as failed, and stops no other`() async
    {
        let (became, asked) = await Self.report { _, endings in
            let isBad = endings.contains { $0.run.fence == Fence(2) && $0.wanted == .completed }
            if isBad { throw Self.refused }
            return Self.done(endings)
        }
        #expect(became == [.job(.completed), .job(.retryable), .job(.completed)])
        let replacement = asked.flatMap { $0 }.last { $0.run.fence == Fence(2) }
        #expect(replacement?.errorCode == "unwritable_end")
    }

    @Test func `an end that can't be written at all is let go: the session hands the job back`()
        async
    {
        let (became, _) = await Self.report { _, endings in
            if endings.contains(where: { $0.run.fence == Fence(2) }) { throw Self.refused }
            return Self.done(endings)
        }
        #expect(became == [.job(.completed), .unwritten, .job(.completed)])
    }

    @Test func `an end that a newer schema calls something else is written: none asks again`() async
    {
        let (became, asked) = await Self.report { _, endings in
            Self.answers(endings) { _ in EndAnswer(text: "frozen") }
        }
        #expect(became == Array(repeating: .other("frozen"), count: 3))
        #expect(asked.flatMap { $0 }.count == 3)
    }
}
