import Synchronization
import Tenure
import TenurePostgres
import TenureSystem
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
