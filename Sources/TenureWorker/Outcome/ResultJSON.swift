import FoundationEssentials
import Tenure

/// A job's result as JSON text, within a payload's limits.
enum ResultJSON {
    static func encode(_ result: some Encodable) throws -> String {
        let json = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
        try PayloadCheck.check(json)
        return json
    }
}
