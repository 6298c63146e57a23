/// What a server made of a message.
public enum MailAnswer: Sendable, Hashable {
    /// It has taken it upon itself.
    case accepted
    case refused(MailRefusal)
}

/// A server's no: to what, and for how long.
///
/// Its words are left out: whoever runs the server has read the password, and could say it.
public struct MailRefusal: Sendable, Hashable, CustomStringConvertible {
    /// What was said last before it.
    public enum Step: String, Sendable {
        case greeting, hello, startTLS, login, sender, recipient, data, message
    }

    public var step: Step
    /// Three digits, of which the first is 4 where it may be otherwise later, and 5 where not.
    public var code: Int
    /// As RFC 3463 has them: `5.1.1` is no such mailbox.
    public var enhancedCode: String?

    public init(_ step: Step, _ code: Int, enhancedCode: String? = nil) {
        self.step = step
        self.code = code
        self.enhancedCode = enhancedCode
    }

    public var isPermanent: Bool { code >= 500 }

    /// Such as `550 5.1.1 to the recipient`.
    public var description: String {
        let numbers = ["\(code)", enhancedCode].compactMap { $0 }.joined(separator: " ")
        return switch step {
        case .greeting: "\(numbers) as its greeting"
        case .hello: "\(numbers) to our greeting"
        case .startTLS: "\(numbers) to STARTTLS"
        case .login: "\(numbers) to the user and password"
        case .sender: "\(numbers) to the sender"
        case .recipient: "\(numbers) to the recipient"
        case .data: "\(numbers) before the message"
        case .message: "\(numbers) to the message"
        }
    }
}
