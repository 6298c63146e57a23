import HTTPTransport
import Web

/// What requests say beyond their URL: to all hosts, or to one origin. Secrets are sent to the one
/// origin that is named for them, and nowhere else, wherever its redirects lead.
public struct RequestRule: Sendable, Codable, Hashable {
    public struct Field: Sendable, Codable, Hashable {
        public var name: String
        public var value: RuleValue

        public init(_ name: String, _ value: RuleValue) { (self.name, self.value) = (name, value) }
    }

    /// An origin, as `https://example.org`; nil for all.
    public private(set) var to: String?
    public var headers: [Field] = []
    public var user: RuleValue?
    public var password: RuleValue?
    public var cookies: [Field] = []

    /// - Parameter to: an origin; nil for all.
    /// - Throws: `ContentError` with `.badOption` for what is none.
    public init(to: String? = nil) throws { self.to = try to.map(Self.origin) }

    private static func origin(_ text: String) throws -> String {
        guard let url = WebURL(text), url.isHTTP, url.path == "/", !url.hasCredentials,
            url.query == nil, url.fragment == nil, !text.contains("*"), !text.contains("\\")
        else {
            throw ContentError(
                .badOption,
                "requests go to \"\(URLRedaction.text(text.storable).prefix(200))\"; give one "
                    + "origin such as https://example.org, without a path or a pattern")
        }
        return url.origin
    }

    private var fields: [Field] { headers + cookies }
    /// Whether an answer to it is one for a check of these rules alone. In which language somebody
    /// asks changes what a page says, and not whether it is there.
    var isOfOneCheck: Bool {
        hasSecret || headers.contains { !Self.harmless.contains($0.name.lowercased()) }
    }

    private var hasSecret: Bool {
        (fields.map(\.value) + [user, password].compactMap(\.self)).contains(where: \.isSecret)
    }

    /// - Throws: `ContentError` with `.badOption`, naming the part.
    public func validate() throws {
        if let to, try Self.origin(to) != to {
            throw ContentError(.badOption, "requests go to \(to); give \(try Self.origin(to))")
        }
        try Bounds.check("headers' count", headers.count, 0...100)
        try Bounds.check("cookies' count", cookies.count, 0...100)
        for header in headers { try Self.check(header: header) }
        for cookie in cookies { try Self.check(cookie: cookie) }
        try Self.check(user: user, password: password)
        guard to != nil || !hasSecret else {
            throw ContentError(
                .badOption, "a secret would be sent to every host; name one, with to: https://…")
        }
        let names = headers.map { $0.name.lowercased() }
        if user != nil, names.contains("authorization") {
            throw ContentError(
                .badOption, "both basic and the header Authorization are given; give one of them")
        }
    }

    /// - Throws: `ContentError` with `.badOption`.
    public static func check(header: Field) throws {
        let (name, lower) = (header.name.storable, header.name.lowercased())
        func refused(_ why: String) -> ContentError {
            ContentError(.badOption, "the header \"\(name.prefix(100))\" \(why)")
        }
        guard !lower.isEmpty, lower.utf8.count <= 200, lower.utf8.allSatisfy(\.isTokenByte) else {
            throw refused("has no name; give letters, digits and -")
        }
        if let remedy = elsewhere[lower] { throw refused("isn't given here; \(remedy)") }
        let isOurs = ["proxy-", "if-", "content-"].contains(where: lower.hasPrefix)
        guard !isOurs, !ours.contains(lower) else {
            throw refused("is made by the request itself; leave it out")
        }
        guard case .text(let text) = header.value else { return }
        guard text.utf8.count <= 4000, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw refused("has a value that is no line of at most 4000 bytes")
        }
        guard lower != "authorization", !URLRedaction.speaksOfSecret(header.name),
            !["bearer ", "basic ", "digest "].contains(where: text.lowercased().hasPrefix)
        else { throw refused("has a secret for a value; \(SecretReference.remedy)") }
    }

    /// - Throws: `ContentError` with `.badOption`.
    public static func check(cookie: Field) throws {
        guard !cookie.name.isEmpty, cookie.name.utf8.count <= 200,
            cookie.name.utf8.allSatisfy(\.isTokenByte)
        else {
            throw ContentError(
                .badOption,
                "a cookie is called \"\(cookie.name.storable.prefix(100))\"; give letters, digits "
                    + "and -")
        }
        guard cookie.value.isSecret else {
            throw ContentError(
                .badOption,
                "the cookie \(cookie.name) stands here itself; \(SecretReference.remedy)")
        }
    }

    /// - Throws: `ContentError` with `.badOption`.
    public static func check(user: RuleValue?, password: RuleValue?) throws {
        if user == nil, password == nil { return }
        guard let user, let password else {
            throw ContentError(.badOption, "basic needs both, user and password; give the other")
        }
        guard password.isSecret else {
            throw ContentError(
                .badOption, "the password stands here itself; \(SecretReference.remedy)")
        }
        guard case .text(let name) = user else { return }
        guard (1...200).contains(name.utf8.count), !name.contains(":"),
            name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw ContentError(.badOption, "the user is no name; give text without a colon") }
    }

    private static let ours: Set = [
        "accept-encoding", "connection", "expect", "host", "keep-alive", "range", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
    private static let harmless: Set = ["accept", "accept-language"]
    private static let elsewhere = [
        "cookie": "give it under cookies", "user-agent": "give user-agent for all requests",
    ]
}

extension UInt8 {
    fileprivate var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
