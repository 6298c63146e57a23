/// One message for one server: whom it is from and for, and how it may travel.
public struct MailRequest: Sendable {
    /// `smtp://host:port`, which is encrypted by STARTTLS, or `smtps://host:port`, which is so
    /// from its first byte.
    public var server: String
    /// An address such as `ops@example.org`; so is the recipient.
    public var sender: String
    public var recipient: String
    /// Header and body, whose lines end with CR and LF.
    public var message: [UInt8]
    public var login: MailLogin?
    public var encryption: Encryption
    /// Of them, those of time: to connect, and in all.
    public var limits: HTTPLimits
    /// Which addresses the server may have.
    public var allowsAddresses: AddressPolicy

    /// Whether a server that is asked over `smtp` has to encrypt before it gets anything.
    public enum Encryption: Sendable {
        case required
        /// Not where the connection ends on this machine: by its address, whatever its name.
        case unlessLocal
        case none
    }

    public init(
        server: String, sender: String, recipient: String, message: [UInt8],
        login: MailLogin? = nil, encryption: Encryption = .unlessLocal,
        limits: HTTPLimits = .article, allowsAddresses: AddressPolicy = .publicOnly
    ) {
        self.server = server
        self.sender = sender
        self.recipient = recipient
        self.message = message
        self.login = login
        self.encryption = encryption
        self.limits = limits
        self.allowsAddresses = allowsAddresses
    }
}

/// Who logs in at a server, with what.
public struct MailLogin: Sendable, Hashable, CustomStringConvertible {
    public var user: String
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public var description: String { user }
}

extension MailLogin: CustomReflectable {
    /// `dump` and string interpolation of whatever holds it show no password either.
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
