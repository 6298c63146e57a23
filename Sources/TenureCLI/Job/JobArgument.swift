import Tenure
import TenureFoundation

/// Reads what commands about jobs are given.
enum JobArgument {
    static func id(_ text: String) throws -> JobID {
        guard let id = JobID(text) else {
            throw Failure("a job's id looks like 01990000-0000-7000-8000-000000000000")
        }
        return id
    }

    static func batch(_ text: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else {
            throw Failure(
                "a batch's id looks like 01990000-0000-7000-8000-000000000000; find it with: "
                    + "tenure batch list")
        }
        return id
    }

    static func age(_ text: String) throws -> Duration {
        guard let age = DurationText.parse(text) else {
            throw Failure("give a duration such as 30m, 12h or 7d")
        }
        return age
    }

    /// Why somebody acts, for the audit log.
    static func reason(_ text: String) throws -> String {
        guard let reason = try ReasonText.checked(text) else {
            throw Failure("say why, or leave it out")
        }
        return reason
    }

    static func state(_ text: String) throws -> JobStatus {
        guard let status = JobStatus(rawValue: text) else {
            let all = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure("give one of \(all)")
        }
        return status
    }
}
