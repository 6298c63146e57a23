import Tenure
import TenureFoundation

/// A job's result as JSON text, within a payload's limits.
enum ResultJSON {
    static func encode(_ result: some Encodable, of what: String = "a job") throws -> String {
        let json: String
        do {
            json = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
        } catch {
            throw TenureError(
                .invalidJob, "the result of \(what) does not encode: \(error)", cause: error)
        }
        try PayloadCheck.check(json, of: "result")
        return json
    }
}
