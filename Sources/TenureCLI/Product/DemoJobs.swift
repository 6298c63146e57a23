import Tenure
import TenureFoundation
import TenureSystem
import TenureWorker

/// Kinds for trying things out, there when `TENURE_DEMO_JOBS` is 1.
enum DemoJobs {
    static var areWanted: Bool { getenv("TENURE_DEMO_JOBS").map { String(cString: $0) } == "1" }

    static let types = JobKinds(DemoSleep.self, DemoFail.self)

    static func register(into jobs: inout JobRegistry) {
        jobs.handle(DemoSleep.self) { job, _ in
            // As long as a clock can wait, whatever a producer asks for.
            let seconds = job.seconds.isNaN ? 0 : min(max(job.seconds, 0), 1e9)
            try await Task.sleep(for: .seconds(seconds))
            return try .completed(result: ["slept": job.seconds])
        }
        jobs.handle(DemoFail.self) { job, _ in throw DemoFailure(message: job.message ?? "failed") }
    }
}

/// Takes its time, and ends at once when it is cancelled.
struct DemoSleep: Job {
    static let kind: JobKind = "demo-sleep"
    static let options = JobOptions<Self>()
    let seconds: Double

    /// Without `seconds` it is over at once.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        seconds = try fields.decodeIfPresent(Double.self, forKey: .seconds) ?? 0
    }
}

/// Fails whenever it runs.
struct DemoFail: Job {
    static let kind: JobKind = "demo-fail"
    static let options = JobOptions<Self>(secretFields: ["password"])
    let message: String?
    var password: String?
}

struct DemoFailure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}
