import HTTPTypes
import Hummingbird
import Synchronization

/// One browser that somebody has let in.
public final class ConsoleSession: Sendable {
    /// Who it is, for those who look later: written beside what is done.
    public let name: String
    /// Whether verbs are shown, and taken.
    public let mayAct: Bool
    /// A page carries it, and a verb brings it back: no other site can know it.
    let token = Secret.make()
    private let notice = Mutex<ConsoleNotice?>(nil)

    /// It brings its right with each request: no page has to prove anything.
    private let isProgram: Bool

    /// - Parameter mayAct: whether verbs are shown, and taken.
    public convenience init(name: String, mayAct: Bool) {
        self.init(name: name, mayAct: mayAct, isProgram: false)
    }

    init(name: String, mayAct: Bool, isProgram: Bool) {
        (self.name, self.mayAct, self.isProgram) = (name, mayAct, isProgram)
    }

    /// What came of the last verb: shown once.
    func leave(_ notice: ConsoleNotice) { self.notice.withLock { $0 = notice } }

    func takeNotice() -> ConsoleNotice? {
        notice.withLock { notice in
            defer { notice = nil }
            return notice
        }
    }

    /// - Throws: `Refused` for a verb that wasn't asked for on a page of this session.
    func require(_ token: String?, from request: Request) throws {
        guard mayAct else { throw Refused(description: "\(name) only looks, and changes nothing.") }
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

    /// Without telling by its time where they differ.
    static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count, !one.isEmpty else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
