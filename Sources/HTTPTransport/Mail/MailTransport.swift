/// What mails: one message, one answer.
public protocol MailTransport: Sendable {
    /// Hands a message to a server, and returns what the server made of it.
    ///
    /// Cancelling the task closes the connection. Whether the message has arrived is not known
    /// after that, nor after an error that came behind its end: whoever sends it again gives it
    /// the same id.
    /// - Throws: ``HTTPTransportError``, or `CancellationError`.
    func send(_ mail: MailRequest) async throws -> MailAnswer
}
