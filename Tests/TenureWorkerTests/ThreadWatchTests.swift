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

    @Test(.timeLimit(.minutes(1)))
    func `blocked threads are said once, and when they are free again`() async throws {
        let recorder = Recorder()
        func said() -> [String] { recorder.all.map(\.message) }
        let handlers = OneThread()
        let watch = ThreadWatch(
            registry: RunRegistry(),
            observer: LoggingObserver(logger: Logger(label: "x") { _ in recorder }, name: "w"),
            time: ReactorTime(.shared), handlers: handlers)
        let running = Task(executorPreference: PostgresReactor.shared.executor) {
            await watch.run()
        }
        try await Task.sleep(for: .seconds(1.2))
        #expect(said().isEmpty)
        let gate = DispatchSemaphore(value: 0)
        handlers.queue.async { gate.wait() }
        while said().isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .seconds(1.2))
        #expect(said().count == 1)
        gate.signal()
        while said().count < 2 {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(said().last == "the handlers' threads are free again")
        running.cancel()
        await running.value
    }
}
