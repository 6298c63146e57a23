// docs/notices.md

public import TenureFoundation
import Web

/// Where notices go.
public struct Channel: Sendable {
    public enum Kind: String, Sendable, Codable {
        /// JSON, signed where there is a secret.
        case webhook
        /// What Slack's incoming webhooks take, and those of others that copy them.
        case slack
        /// A message by a mail server.
        case mail
    }

    public let name: String
    /// Nil for one that this release doesn't know.
    public let kind: Kind?
    /// A URL. Of a Slack channel `{secret}` in it stands for the secret; a channel of mail has the
    /// server's.
    public let address: String
    public let secret: SecretReference?
    /// Whom a channel of mail writes to, and as whom.
    public let recipient: String?
    public let sender: String?
    public let user: String?
    public let addedAt: Date
    public let addedBy: String
    /// Nothing is sent while it is paused: it said so itself, with a 410.
    public let pausedAt: Date?
    public let pausedWhy: String?
    /// What is to be sent there and hasn't arrived.
    public let unsent: Int
    /// The last of them that failed, and why.
    public let failedAt: Date?
    public let error: String?
    /// The last that arrived.
    public let sentAt: Date?

    /// As it may be shown.
    public var shownAddress: String { URLRedaction.text(address) }

    /// Where the secret stands in a Slack channel's address.
    static let placeholder = "{secret}"
}

/// A channel on its way in.
public struct NewChannel: Sendable {
    public let name: String
    public let kind: Channel.Kind
    public let address: String
    public let secret: SecretReference?
    /// Of a channel of mail.
    public let route: MailRoute?

    /// A channel of mail.
    /// - Parameter secret: the password of the route's user.
    /// - Throws: `ContentError` with `.badOption`.
    public init(_ name: String, by route: MailRoute, secret: SecretReference? = nil) throws {
        try Self.check(name)
        guard (route.user == nil) == (secret == nil) else {
            throw ContentError(
                .badOption,
                "a user and a secret go together; give --user, and --secret-env or --secret-file, "
                    + "or none of them")
        }
        self.name = name
        self.kind = .mail
        self.address = route.server
        self.secret = secret
        self.route = route
    }

    /// - Parameter kind: not `mail`, whose address is a route.
    /// - Throws: `ContentError` with `.badOption` or `.refusedURL`.
    public init(
        _ name: String, _ kind: Channel.Kind, to address: String, secret: SecretReference? = nil
    ) throws {
        try Self.check(name)
        self.name = name
        self.kind = kind
        self.secret = secret
        self.route = nil
        let hole = Channel.placeholder
        let wantsSecret = kind == .slack && address.contains(hole)
        if wantsSecret, secret == nil {
            throw ContentError(
                .badOption,
                "the address has \(hole), and nothing says where the secret is; give --secret-env "
                    + "or --secret-file, too")
        }
        // What stands there in the end is looked at when it is known.
        let example = wantsSecret ? address.replacing(hole, with: "x") : address
        let url = try CheckableURL.parse(example)
        guard URLRedaction.text(url.href) == url.href else {
            throw ContentError(
                .badOption,
                "the address has a user, a password or a parameter that speaks of a secret, and "
                    + "addresses are listed; leave it out, and give a secret by --secret-env or "
                    + "--secret-file")
        }
        if kind == .webhook, url.host == "hooks.slack.com" {
            throw ContentError(
                .badOption,
                "hooks.slack.com takes Slack's messages alone; give "
                    + "--slack https://hooks.slack.com/services/\(hole), and the rest by "
                    + "--secret-env or --secret-file")
        }
        if kind == .slack, url.host == "hooks.slack.com", !wantsSecret {
            throw ContentError(
                .badOption,
                "the path of an address at hooks.slack.com is a secret; give "
                    + "https://hooks.slack.com/services/\(hole), and the rest by --secret-env or "
                    + "--secret-file")
        }
        self.address = wantsSecret ? address : url.href
    }

    private static func check(_ name: String) throws {
        let isName = name.utf8.allSatisfy { byte in
            byte.isASCIILetterOrDigit || "-_.".utf8.contains(byte)
        }
        guard isName, (1...64).contains(name.utf8.count) else {
            throw ContentError(
                .badOption,
                "the channel's name is \"\(name.storable.prefix(200))\"; give 1 to 64 letters, "
                    + "digits, dots, - or _")
        }
    }
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
