import TenureFoundation
import Web

/// Whom a channel of mail writes to, as whom, and by which server.
public struct MailRoute: Sendable, Hashable {
    public let recipient: MailAddress
    public let sender: MailAddress
    /// `smtp://host:port`, or `smtps://`.
    public let server: String
    /// Who logs in there, with the channel's secret as the password.
    public let user: String?
    /// Whether the message travels in the open. To the worker's own machine it always does.
    public let isPlain: Bool

    static let longestUser = 320

    /// - Parameter server: without a port 587 is meant, or 465 where it begins with `smtps`.
    /// - Throws: `ContentError` with `.badOption`.
    public init(
        to recipient: MailAddress, from sender: MailAddress, by server: String,
        user: String? = nil, isPlain: Bool = false
    ) throws {
        self.recipient = recipient
        self.sender = sender
        self.server = try Self.server(server, isPlain: isPlain)
        self.user = user
        self.isPlain = isPlain
        guard let user else { return }
        guard (1...Self.longestUser).contains(user.utf8.count),
            user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw ContentError(
                .badOption,
                "the user is \"\(user.storable.prefix(200))\"; give one line of "
                    + "\(Self.longestUser) bytes at most")
        }
        if isPlain {
            throw ContentError(
                .badOption,
                "a password isn't sent in the open; leave out --plain, or --user")
        }
    }

    private static func server(_ text: String, isPlain: Bool) throws -> String {
        func refused(_ why: String) -> ContentError {
            ContentError(
                .badOption,
                "the server \(URLRedaction.text(text.storable).prefix(200)): \(why); give "
                    + "smtp://host:587 or smtps://host:465")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw refused("a space or a control character in it")
        }
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["smtp", "smtps"].contains(parts[0]) else {
            throw refused("neither smtp:// nor smtps://")
        }
        // Hosts are written as those of pages are; a port is nobody's default there.
        guard let url = WebURL("https://\(parts[1])"), let port = WebURL("x://\(parts[1])"),
            let host = url.host, !host.isEmpty
        else { throw refused("no URL") }
        guard !url.hasCredentials else {
            throw refused("a user or a password in it, which --user and --secret-env are for")
        }
        guard url.path == "/", url.query == nil, url.fragment == nil, !text.contains("\\") else {
            throw refused("more than a host and a port")
        }
        if isPlain, parts[0] == "smtps" {
            throw ContentError(
                .badOption, "smtps is never plain; leave out --plain, or give smtp://")
        }
        return "\(parts[0])://\(host):\(port.port ?? (parts[0] == "smtps" ? 465 : 587))"
    }
}

/// Somebody's address, such as `ops@example.org`, and nothing else: no name, no comment, no quotes.
public struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// - Throws: `ContentError` with `.badOption`.
    public init(_ text: String) throws {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, parts[0].utf8.count <= 64,
            Self.isDotted(parts[0], with: "!#$%&'*+-/=?^_`{|}~"), Self.isDotted(parts[1], with: "-")
        else {
            throw ContentError(
                .badOption,
                "\"\(text.storable.prefix(200))\" is no address of mail; give one such as "
                    + "ops@example.org, in ASCII, without a name")
        }
        description = text
    }

    /// What stands behind the @.
    var domain: Substring { description.split(separator: "@").last ?? "" }

    /// Words of letters, digits and some others, with a dot between two.
    private static func isDotted(_ text: Substring, with others: String) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    byte.isASCIILetterOrDigit || others.utf8.contains(byte)
                }
        }
    }
}
