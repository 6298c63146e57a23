import Synchronization
import Tenure
import TenureFoundation
import TenurePostgres
import TenureTestKit
import Testing

@testable import TenureWorker

/// When the next chunk goes, and what its members are told, on a clock that stands still between
/// two looks.
@Suite struct GathererTests {
    @Test func `a second chunk goes beside the first as soon as it is as large`() async throws {
        let scene = try GathererScene()
        scene.join(3)
        scene.advance(by: 10)
        #expect(scene.sizes == [3])
        scene.join(1)
        scene.advance(by: 10)
        #expect(scene.sizes == [3], "its own wait is over, and it is smaller")
        scene.join(1)
        #expect(scene.sizes == [3])
        scene.join(1)
        #expect(scene.sizes == [3, 3], "no time has gone by")
        try await scene.end()
    }

    @Test func `a smaller one waits until the first has taken twenty milliseconds`() async throws {
        let scene = try GathererScene()
        scene.join(3)
        scene.advance(by: 10)
        scene.join(1)
        scene.advance(by: 19)
        #expect(scene.sizes == [3])
        scene.advance(by: 1)
        #expect(scene.sizes == [3, 1])
        try await scene.end()
    }

    @Test func `a third goes when the first is done, or has taken half a second`() async throws {
        let scene = try GathererScene()
        scene.join(3)
        scene.advance(by: 10)
        scene.join(3)
        #expect(scene.sizes == [3])
        scene.advance(by: 10)
        #expect(scene.sizes == [3, 3])
        scene.join(4)
        scene.advance(by: 489)
        #expect(scene.sizes == [3, 3])
        scene.advance(by: 1)
        #expect(scene.sizes == [3, 3, 4])
        scene.join(5)
        scene.advance(by: 10)
        #expect(scene.sizes == [3, 3, 4, 5], "the second has taken half a second, too")
        scene.join(6)
        scene.advance(by: 10)
        #expect(scene.sizes.count == 4)
        try await scene.end()
        #expect(scene.sizes.last == 6)
    }

    /// It is told once, and goes with nobody again.
    @Test func `one that is late at the look hears so, and the others are committed`() async throws
    {
        let scene = try GathererScene()
        let runs = scene.join(3)
        scene.lose(runs[1])
        scene.advance(by: 10)
        #expect(scene.sizes == [2])
        let told = await scene.told()
        #expect(told == ["completed", "superseded", "completed"])
        #expect(scene.sizes == [2])
    }
}

/// Runs whose commits are on their way until the end, and the tasks that wait for them: each goes
/// as far as it can before the test goes on.
private final class GathererScene: Sendable {
    private let clock = TestClock()
    private let line = Line()
    private let store = SlowCommits()
    private let written = Mutex<[Int]>([])
    private let tasks = Mutex<[Task<RunOutcome, any Error>]>([])

    /// How many members each chunk has that was sent, in the order of their sending.
    var sizes: [Int] { written.withLock { $0 } }

    @discardableResult
    func join(_ count: Int) -> [RunRef] {
        let runs = (0..<count).map { _ in run() }
        for run in runs {
            let task = Task(executorPreference: line) {
                try await self.gatherer.commit(run, .completed, 0)
            }
            tasks.withLock { $0.append(task) }
        }
        line.run()
        return runs.map(\.ref)
    }

    func lose(_ run: RunRef) { store.late.withLock { $0[run] = .superseded } }

    func advance(by milliseconds: Int) {
        clock.advance(by: .milliseconds(milliseconds))
        line.run()
    }

    /// All commits come through, and each run is told of its own.
    func end() async throws {
        let told = await told()
        #expect(told.allSatisfy { $0 == "completed" })
    }

    /// What each run hears, in the order in which they came, when all commits come through.
    func told() async -> [String] {
        store.letThrough()
        line.run()
        var told: [String] = []
        for task in tasks.withLock({ $0 }) {
            switch await task.result {
            case .success(let became): told.append(became == .job(.completed) ? "completed" : "?")
            case .failure(let late as LateResult): told.append("\(late.became)")
            case .failure(let error): told.append("\(error)")
            }
        }
        return told
    }

    private var gatherer: Gatherer<SlowCommits, Int> {
        services.part(of: self) {
            Gatherer(
                GathererBounds(upTo: 10, within: .milliseconds(10)), on: store,
                observer: Unheard(), executor: line, time: clock
            ) { members, _ in self.written.withLock { $0.append(members.count) } }
        }
    }

    private let services: RunServices

    init() throws {
        services = RunServices(
            Surroundings(
                control: line, time: clock, beats: line, beatTime: clock, handlers: line,
                random: SystemRandomNumberGenerator()),
            observer: Unheard(), lease: SessionLease(try LeaseRule(), on: clock),
            progress: ProgressBoard())
    }

    private func run() -> Run {
        let info = RunInfo(
            job: JobID(), kind: "test", queue: .default, key: nil, generation: nil,
            fence: Fence(1), attempt: 1)
        let job = ClaimedJob(
            run: info, payload: "{}", payloadVersion: 1, priority: 5, runAt: .now, maxAttempts: 2,
            runs: 1, lane: nil, createdAt: .now)
        return Run(job, session: SessionID(1), handler: nil, services: services)
    }
}

/// What is to run, one after the other, when the test says so.
private final class Line: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func run() {
        while let next = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            next.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

private struct Unheard: EventObserver {
    func observe(_ event: Event) {}
}

/// A store whose COMMIT takes until somebody lets all of them through.
private final class SlowCommits: CommitStore {
    struct Transaction: CommitTransaction {
        func finish(_ run: RunInfo, _ outcome: JobOutcome) async throws -> Finished {
            Finished(became: outcome.expected, wakeups: [])
        }
        func finish(_ ends: [RunToEnd]) async throws -> FinishedChunk {
            FinishedChunk(became: [:], wakeups: [])
        }
        func hold(_ run: RunRef, log: String?) async throws -> [Wakeup] { [] }
    }
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    /// What the look finds.
    let late = Mutex<LateRuns>([:])

    func letThrough() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }

    func transaction(
        of runs: [RunRef], _ body: (Transaction, LateRuns) async throws -> Void
    ) async throws {
        try await body(Transaction(), late.withLock { $0 })
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func outcome(
        of unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus { .inProgress }
    func find(_ run: RunRef) async throws -> RunRows { .held }
    func verdicts(of runs: [RunRef]) async throws -> LateRuns { [:] }
    func send(_ wakeups: [Wakeup]) async {}
}
