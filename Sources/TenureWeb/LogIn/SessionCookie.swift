import HTTPTypes
import Hummingbird

/// By what a browser is known again. No script sees it, and no other site's page sends it.
struct SessionCookie: Sendable {
    let name: String
    private let attributes: String

    /// - Parameters:
    ///   - use: one word that tells it from others of this console.
    ///   - isSecure: browsers send it over TLS alone.
    init(_ use: String, prefix: String, isSecure: Bool) {
        // Of this console alone: browsers give one machine's cookies to all of its ports.
        let own = "tenure-\(use)-" + Secret.make().prefix(12)
        // What is called so can only have been set here, over TLS.
        name = isSecure && prefix.isEmpty ? "__Host-" + own : own
        attributes =
            "Path=\(prefix)/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    func setting(_ value: String) -> String { "\(name)=\(value); \(attributes)" }

    var clearing: String { "\(name)=; Max-Age=0; \(attributes)" }

    /// All of that name: a neighbour may have set one, too.
    func values(in request: Request) -> [String] {
        (request.headers[.cookie] ?? "").split(separator: ";").compactMap { pair in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? String(pair.dropFirst(name.count + 1)) : nil
        }
    }
}
