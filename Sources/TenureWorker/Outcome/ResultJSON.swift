import FoundationEssentials
import Tenure

/// A job's result as JSON text, within a payload's limits.
enum ResultJSON {
    static func encode(_ result: some Encodable) throws -> String {
        let json: String
        do {
            json = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
        } catch {
            throw TenureError(
                .invalidJob, "the result of a job does not encode: \(error)", cause: error)
        }
        try PayloadCheck.check(json, of: "result")
        return json
    }
}
