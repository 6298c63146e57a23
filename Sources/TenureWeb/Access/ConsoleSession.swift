import HTTPTypes
import Hummingbird
import Synchronization

/// One browser that somebody has let in.
public final class ConsoleSession: Sendable {
    private struct State {
        var mayAct: Bool
        var isOver = false
        var notice: ConsoleNotice?
    }
    /// Who it is, for those who look later: written beside what is done.
    public let name: String
    /// A page carries it, and a verb brings it back: no other site can know it.
    let token = Secret.make()
    /// Where it is ended with a POST, where it was let in here.
    static let exit = "logout"
    /// It was let in here, and so it can be let out here.
    let canLogOut: Bool
    /// It brings its right with each request: no page has to prove anything.
    private let isProgram: Bool
    private let state: Mutex<State>

    /// - Parameter mayAct: whether verbs are shown, and taken.
    public convenience init(name: String, mayAct: Bool) {
        self.init(name: name, mayAct: mayAct, isProgram: false)
    }

    init(name: String, mayAct: Bool, isProgram: Bool, canLogOut: Bool = false) {
        (self.name, self.isProgram, self.canLogOut) = (name, isProgram, canLogOut)
        state = Mutex(State(mayAct: mayAct))
    }

    /// Whether verbs are shown, and taken.
    public var mayAct: Bool { state.withLock { $0.mayAct } }

    /// Rights come and go while somebody is logged in.
    func set(mayAct: Bool) { state.withLock { $0.mayAct = mayAct } }

    /// Nothing more is shown to it, not even what goes on by itself.
    func end() { state.withLock { $0.isOver = true } }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// What came of the last verb: shown once.
    func leave(_ notice: ConsoleNotice) { state.withLock { $0.notice = notice } }

    func takeNotice() -> ConsoleNotice? {
        state.withLock { state in
            defer { state.notice = nil }
            return state.notice
        }
    }

    /// - Throws: `Refused` for a verb that wasn't asked for on a page of this session.
    func require(_ token: String?, from request: Request) throws {
        guard mayAct else { throw Refused(description: "\(name) only looks, and changes nothing.") }
        try requireOwn(token, from: request)
    }

    /// - Throws: `Refused` for a form of another session or site.
    func requireOwn(_ token: String?, from request: Request) throws {
        if isProgram { return }
        guard Secret.isSame(token ?? "", self.token) else {
            throw Refused(
                description: "This form is of another session, or old. Load the page again.")
        }
        guard OwnOrigin.allows(request) else {
            throw Refused(description: "This request comes from another site.")
        }
    }
}

struct ConsoleNotice: Sendable {
    let text: String
    let isGood: Bool

    var markup: Markup {
        "<p class=\"notice\(isGood ? "" : " bad")\" role=\"status\">\(text)</p>"
    }
}

/// It isn't for whoever asks.
struct Refused: Error, CustomStringConvertible {
    let description: String
}

/// Whether a browser says that a request comes from a page of this very server.
enum OwnOrigin {
    static func allows(_ request: Request) -> Bool {
        if let site = request.headers[HTTPField.Name("Sec-Fetch-Site")!], site != "same-origin" {
            return false
        }
        guard let origin = request.headers[.origin] else { return true }
        guard let host = request.head.authority else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }
}

/// Texts that nobody guesses.
enum Secret {
    /// 256 bits of the system's.
    static func make() -> String {
        var source = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(source.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Whether it looks like one that was made here.
    static func isOne(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }

    /// Without telling by its time where they differ.
    static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count, !one.isEmpty else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
