import HTTPTypes
import Hummingbird
import NIOCore

/// A form is larger than any that a page sends.
struct TooLong: Error, CustomStringConvertible {
    let description: String

    init(most: Int) { description = "The form is larger than \(most) bytes." }
}

extension Query {
    /// - Throws: `TooLong`, and `BadRequest` for a body that breaks off or can't be read.
    init(bodyOf request: inout Request, atMost most: Int) async throws {
        // What says how long it is needn't be waited for.
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard length <= most else { throw TooLong(most: most) }
        let body: ByteBuffer
        do {
            body = try await request.collectBody(upTo: most)
        } catch is NIOTooManyBytesError {
            throw TooLong(most: most)
        } catch {
            throw BadRequest("the form broke off")
        }
        try self.init(String(buffer: body))
    }
}
