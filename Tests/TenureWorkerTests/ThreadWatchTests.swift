import Dispatch
import Logging
import Tenure
import TenurePostgres
import Testing

@testable import TenureWorker

@Suite struct ThreadWatchTests {
    /// One thread, which a test may block without blocking the others.
    private final class OneThread: TaskExecutor {
        let queue = DispatchQueue(label: "one thread")
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func `blocked threads are said, again after a minute, and when they are free again`()
        async throws
    {
        let recorder = Recorder()
        let handlers = OneThread()
        let watch = ThreadWatch(
            registry: RunRegistry(),
            observer: LoggingObserver(logger: Logger(label: "x") { _ in recorder }, name: "w"),
            time: ReactorTime(.shared), handlers: handlers)
        let start = ContinuousClock.now
        var memory = ThreadWatch.Memory()
        func look(at seconds: Double) -> [String] {
            watch.look(&memory, start + .seconds(seconds))
            return recorder.all.map(\.message)
        }
        func untilProbeArrives() async throws {
            while memory.probe?.sent.hasArrived == false {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        for step in 0..<5 {
            #expect(look(at: Double(step) / 2).isEmpty)
            try await untilProbeArrives()
        }
        let gate = DispatchSemaphore(value: 0)
        handlers.queue.async { gate.wait() }
        #expect(look(at: 3).isEmpty && look(at: 3.5).isEmpty)
        #expect(look(at: 4).count == 1)
        #expect(recorder.all[0].metadata["duration"] == "1.0 seconds")
        #expect(look(at: 4.5).count == 1 && look(at: 63.5).count == 1)
        #expect(look(at: 64).count == 2)
        gate.signal()
        try await untilProbeArrives()
        #expect(look(at: 64.5).last == "the handlers' threads are free again")
        try await untilProbeArrives()
        #expect(look(at: 65).count == 3)
    }
}
