package import Tenure

/// One page of the console: it looks at the database, and is shown as HTML, or as the JSON of what
/// it has seen.
package protocol Page: Sendable {
    associatedtype Found: Encodable & Sendable

    var tab: Tab? { get }
    var title: String { get }
    /// What changes from browser to browser, and is not replaced while somebody looks: filters.
    var head: (Links) -> Markup { get }
    /// Whether it is looked at again while somebody shows it.
    var isLive: Bool { get }
    /// What Enter asks for in a box of its form; nil: nothing.
    var enter: [String]? { get }
    /// Whether it has buttons of verbs for which the audit log keeps a reason.
    var asksWhy: Bool { get }

    /// - Throws: `NotThere` for what isn't, or is no more.
    func look(_ look: Look) async throws -> Found

    /// In the order in which they stand.
    func sections(_ found: Found, _ look: Look) -> [Section]
}

extension Page {
    package var head: (Links) -> Markup { { _ in "" } }
    package var isLive: Bool { true }
    package var enter: [String]? { nil }
    package var asksWhy: Bool { false }
}

/// A part of a page that is replaced by itself when it has changed.
package struct Section: Sendable {
    let id: String
    let body: Markup

    package init(id: String, body: Markup) { (self.id, self.body) = (id, body) }

    /// With its own place.
    var markup: Markup { "<section id=\"\(id)\">\(body)</section>" }
}

/// What pages look with, and how what they show is shown.
package struct Look: Sendable {
    package let pool: PostgresPool
    package let client: TenureClient
    let rates: RateLog
    let settings: ConsoleSettings
    /// Whether whoever looks may press buttons. The database decides what comes of it.
    package let mayAct: Bool

    package var inspector: Inspector { Inspector(pool: pool) }
    package var links: Links { Links(prefix: settings.prefix, redact: settings.redact) }

    /// Nothing for who only reads.
    package func verbs(_ buttons: [VerbButton]) -> Markup {
        mayAct && !buttons.isEmpty ? "<div class=\"verbs\">\(buttons.map(\.markup))</div>" : ""
    }

    package func verb(_ button: VerbButton) -> Markup { mayAct ? button.markup : "" }

    /// Whether a text goes out as it is: nothing in it is taken for a secret.
    package func shows(_ text: String) -> Bool { settings.redact(text) == text }

    /// A document of a job, without its secrets.
    func document(_ text: String?, _ label: String) -> Markup? {
        guard let text else { return nil }
        if settings.hidesPayloads { return "<span class=\"soft\">not shown here</span>" }
        return Markup.document(settings.redact(text), label)
    }
}

/// There is no such thing, or there is none any more.
package struct NotThere: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// An entry of the menu.
package struct Tab: Sendable, Equatable {
    let title: String
    /// Empty for the first page of all.
    let path: [String]

    package init(_ title: String, _ path: String...) { (self.title, self.path) = (title, path) }
}

/// What a query, or a form, says: decoded pairs, in their order.
package struct Query: Sendable {
    let pairs: [(name: String, value: String)]
    private static let most = 1000

    /// - Throws: `BadRequest` for what can't be read, or is no text of PostgreSQL's.
    init(_ text: some StringProtocol) throws {
        let parts = text.split(separator: "&")
        guard parts.count <= Self.most else {
            throw BadRequest("\(parts.count) values are given; give \(Self.most) at most")
        }
        pairs = try parts.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(parts[0]),
                let value = parts.count > 1 ? Self.decoded(parts[1]) : "",
                !name.utf8.contains(0), !value.utf8.contains(0)
            else {
                throw BadRequest("\"\(pair.prefix(100))\" is no UTF-8, or has a NUL in it")
            }
            return (name, value)
        }
    }

    /// Nil where it is empty, as in a form that nobody has filled in.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    package func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Nil for what is no UTF-8.
    static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16),
                    !digits.hasPrefix("+")
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
