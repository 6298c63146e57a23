/// What fetches: one request, one response, no opinion about what either means.
///
/// The implementation is ``CurlTransport``; tests of whoever fetches bring their own.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns when the response's head is there; the body streams after it.
    ///
    /// Redirects are answers like any other. Cancelling the task closes the connection, whatever it
    /// was doing, and throws `CancellationError`.
    /// - Throws: ``HTTPTransportError``, or `CancellationError`.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
