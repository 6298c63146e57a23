import Synchronization
import Tenure
import TenureCLI
import TenureSystem
import TenureWorker

/// The kinds that the benchmark's workers run.
enum BenchJobs {
    static let queue: QueueName = "bench"

    /// Names for many, the same as the yardstick gives its own.
    static func queues(_ count: Int) -> [QueueName] {
        count == 1 ? [queue] : (0..<count).map { QueueName("bench-\($0)") }
    }

    static func registry() -> JobRegistry {
        let recorder = MomentRecorder()
        var jobs = JobRegistry()
        jobs.handle(BenchNoop.self) { _, _ in .completed }
        jobs.handle(BenchPayload.self) { _, _ in .completed }
        jobs.handle(BenchRetry.self) { _, context in
            if context.attempt == 1 { throw BenchFailure() }
            return .completed
        }
        jobs.handle(BenchMark.self) { job, _ in
            recorder.note(job.number)
            return .completed
        }
        jobs.handle(BenchWait.self) { job, _ in
            try await withTaskCancellationHandler {
                try await Task.sleep(for: .seconds(600))
            } onCancel: {
                recorder.note(job.number)
            }
            return .completed
        }
        jobs.handle(BenchApproval.self) { job, context in
            guard try await context.signal("approved", within: .seconds(86_400)) else {
                throw BenchFailure()
            }
            recorder.note(job.number)
            return .completed
        }
        jobs.handle(BenchSleep.self) { _, context in
            try await context.sleep(for: .seconds(86_400))
            return .completed
        }
        jobs.handle(BenchReport.self) { _, _ in try .completed(result: recorder.take()) }
        return jobs
    }
}

/// Does nothing, with a payload as small jobs have.
struct BenchNoop: Job {
    static let kind: JobKind = "bench-noop"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    var url = "https://example.org/some/path"
    var depth = 1
}

/// Does nothing, with a payload of any size.
struct BenchPayload: Job {
    static let kind: JobKind = "bench-payload"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    let text: String

    /// - Parameter bytes: of the whole payload.
    init(bytes: Int, of text: RandomText) {
        self.text = text.slice(bytes - #"{"text":""}"#.utf8.count)
    }
}

/// Fails the first time.
struct BenchRetry: Job {
    static let kind: JobKind = "bench-retry"
    static let options = JobOptions<Self>(
        queue: BenchJobs.queue, retry: .constant(maxAttempts: 3, .milliseconds(50)))
    var depth = 1
}

struct BenchFailure: Error {}

/// Notes when its handler started.
struct BenchMark: Job {
    static let kind: JobKind = "bench-mark"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    let number: Int
}

/// Waits to be stopped, and notes when it was.
struct BenchWait: Job {
    static let kind: JobKind = "bench-wait"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    let number: Int
}

/// Waits for a signal, and notes when it went on behind it.
struct BenchApproval: Job {
    static let kind: JobKind = "bench-approval"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    let number: Int
}

/// Sleeps for longer than any measurement takes.
struct BenchSleep: Job {
    static let kind: JobKind = "bench-sleep"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    var number = 1
}

/// Its result is what the others have noted, by number.
struct BenchReport: Job {
    static let kind: JobKind = "bench-report"
    static let options = JobOptions<Self>(queue: BenchJobs.queue)
    var all = true
}

/// A clock that two processes of one machine read alike.
enum SharedClock {
    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// What handlers noted, kept until somebody asks.
final class MomentRecorder: Sendable {
    private let moments = Mutex<[String: Int64]>([:])

    func note(_ number: Int) {
        let now = SharedClock.nanoseconds
        moments.withLock { $0["\(number)"] = now }
    }

    func take() -> [String: Int64] {
        moments.withLock { moments in
            defer { moments = [:] }
            return moments
        }
    }
}
