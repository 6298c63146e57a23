import Subprocess
import SystemPackage
import Tenure
import TenureWorker

struct Convert: Job {
    static let kind: JobKind = "convert"
    static let options = JobOptions<Self>(timeout: .seconds(120))
    let picture: String
}

struct ConversionFailed: Error {
    let message: String
}

func registerConversions(_ jobs: inout JobRegistry, program: FilePath) {
    jobs.handle(Convert.self) { job, _ in
        var options = PlatformOptions()
        // Cancelled, the program and all that it started are asked to end, and killed after 2 s.
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
        ]
        let end = try await run(
            .path(program), arguments: ["--", job.picture], platformOptions: options,
            output: .discarded, error: .string(limit: 65_536))
        try Task.checkCancellation()  // it was told to end, and didn't fail
        guard end.terminationStatus.isSuccess else {
            throw ConversionFailed(message: end.standardError)
        }
        return .completed
    }
}
