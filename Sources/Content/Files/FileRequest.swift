import HTTPTransport
import Web

/// One request for a file, or for what is still missing of it.
struct FileRequest: Sendable {
    let visitor: Visitor
    /// The rest of this is wanted; nil for the whole.
    let rest: Download?
    /// What is there already, if the whole is wanted only where it has changed.
    let known: ReadFile.Row?

    /// - Returns: what it came to, and the response if its body is wanted.
    /// - Throws: only `CancellationError`.
    func send(
        _ url: WebURL, _ policy: RequestPolicy
    ) async throws -> (visit: Visit, response: HTTPResponse?) {
        // That no byte is left is an answer to whoever has all of them.
        try await visitor.open(
            url, .get, policy, conditions, accepting: rest == nil ? nil : 416, decodesContent: false
        )
    }

    private var conditions: HTTPHeaders {
        var headers = HTTPHeaders()
        if let rest, let validator = rest.validator {
            headers["Range"] = "bytes=\(rest.received)-"
            headers["If-Range"] = validator
        } else if let known {
            headers["If-None-Match"] = known.etag
            headers["If-Modified-Since"] = known.lastModified
        }
        return headers
    }
}
