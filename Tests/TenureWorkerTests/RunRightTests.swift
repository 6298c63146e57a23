import Glibc
import Synchronization
import Tenure
import TenurePostgres
import Testing

@testable import TenureWorker

/// The handshake between a run that lets go of its task and somebody who ends its right.
@Suite struct RunRightTests {
    /// Runs `body` in a task of its own with a right that has begun.
    private static func withRight<Result: Sendable>(
        _ body: @escaping @Sendable (RunRight) async -> Result
    ) async -> Result {
        let right = RunRight(Canceller())
        return await Task {
            #expect(right.begin())
            return await body(right)
        }.value
    }

    @Test func `its end cancels the task, once it is delivered`() async {
        let seen = await Self.withRight { right in
            right.end(.shutdown)
            let before = Task.isCancelled
            right.deliver()
            let after = Task.isCancelled
            await right.release()
            return [before, after]
        }
        #expect(seen == [false, true])
    }

    @Test func `an end that is delivered after the run has let go reaches no other run`() async {
        let (isCancelled, reason) = await Self.withRight { right in
            right.end(.shutdown)
            await right.release()
            right.deliver()
            return (Task.isCancelled, right.reason)
        }
        #expect(!isCancelled)
        #expect(reason == .shutdown)
    }

    @Test func `a run that has let go loses nothing any more`() async {
        let (isFirst, reason) = await Self.withRight { right in
            await right.release()
            return (right.end(.shutdown), right.reason)
        }
        #expect(!isFirst)
        #expect(reason == nil)
    }

    @Test func `a right that has ended lets nothing begin`() async {
        let right = RunRight(Canceller())
        #expect(right.end(.cancelled(by: "ada")))
        #expect(!right.end(.shutdown))
        #expect(await Task { right.begin() }.value == false)
        #expect(right.reason == .cancelled(by: "ada"))
    }

    @Test func `a run waits for a delivery that is under way`() async {
        let steps = Steps()
        await Self.withRight { right in
            await withTaskCancellationHandler {
                right.end(.shutdown)
                // On another thread, because the delivery takes its time.
                let delivery = Task(executorPreference: PostgresReactor.shared.executor) {
                    right.deliver()
                }
                while !steps.all.contains("entered") { await Task.yield() }
                await right.release()
                steps.add("released")
                await delivery.value
            } onCancel: {
                steps.add("entered")
                usleep(50_000)
                steps.add("let go")
            }
        }
        let all = steps.all
        #expect(all.firstIndex(of: "released") ?? 0 > all.firstIndex(of: "let go") ?? 9, "\(all)")
    }
}

private final class Steps: Sendable {
    private let steps = Mutex<[String]>([])
    func add(_ step: String) { steps.withLock { $0.append(step) } }
    var all: [String] { steps.withLock { $0 } }
}

@Suite struct OpenClaimsTests {
    @Test func `claims that began later don't count`() {
        let claims = OpenClaims()
        let first = claims.begin()
        let seen = claims.last
        let second = claims.begin()
        #expect(!claims.haveEnded(upTo: seen))
        claims.end(first)
        #expect(claims.haveEnded(upTo: seen))
        #expect(!claims.haveEnded(upTo: claims.last))
        claims.end(second)
        #expect(claims.haveEnded(upTo: claims.last))
    }

    @Test func `a run that no answer brought goes back although claims never pause`() {
        let handedBack = Mutex<[RunRef]>([])
        let claims = OpenClaims()
        let holder = LeaseHolder(
            registry: RunRegistry(), observer: Unheard(), openClaims: claims,
            handBack: { run in handedBack.withLock { $0.append(run) } }, wakeUp: { _ in })
        let run = RunRef(job: JobID(), fence: Fence(7))
        var open = claims.begin()
        holder.unknownRuns([run])
        holder.unknownRuns([run])
        // The claim that was open when it was first seen may have brought it.
        #expect(handedBack.withLock { $0.isEmpty })
        let next = claims.begin()
        claims.end(open)
        open = next
        holder.unknownRuns([run])
        #expect(handedBack.withLock { $0 } == [run])
        claims.end(open)
    }
}

private struct Unheard: EventObserver { func observe(_ event: Event) {} }

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
        #expect(demand.wanted(running: 10, buffered: 600, mayPrefetch: true) == 0)
    }

    @Test func `no more is ahead than ends in a moment`() {
        let demand = Self.demand(perSecond: 1000)
        let wanted = demand.wanted(running: 10, buffered: 0, mayPrefetch: true)
        #expect((40...50).contains(wanted), "\(wanted)")
        #expect(demand.wanted(running: 10, buffered: 40, mayPrefetch: true) == 0)
    }

    @Test func `jobs with lanes start when they are claimed`() {
        let demand = Self.demand(perSecond: 50_000)
        #expect(demand.wanted(running: 6, buffered: 0, mayPrefetch: false) == 4)
        #expect(demand.wanted(running: 10, buffered: 0, mayPrefetch: false) == 0)
    }

    @Test func `jobs that turn out slow end the reach`() {
        var demand = Self.demand(perSecond: 50_000)
        demand.slowDown()
        #expect(demand.wanted(running: 10, buffered: 0, mayPrefetch: true) == 0)
    }
}
