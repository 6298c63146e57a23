/// Addresses within the console, wherever it is mounted.
package struct Links: Sendable {
    /// `/admin`; empty at the root.
    let prefix: String
    /// Takes secrets out of a name: encoded in an address, nobody would find them there any more.
    /// Such an address leads nowhere.
    var redact: @Sendable (String) -> String = { $0 }

    /// - Parameter query: what is nil is left out.
    package func to(_ path: [String], _ query: [(String, String?)] = []) -> String {
        let place = prefix + "/" + path.map { Self.encoded(redact($0)) }.joined(separator: "/")
        let pairs = query.compactMap { name, value in
            value.map { Self.encoded(name) + "=" + Self.encoded(redact($0)) }
        }
        return pairs.isEmpty ? place : place + "?" + pairs.joined(separator: "&")
    }

    package func to(_ path: String..., query: [(String, String?)] = []) -> String {
        to(path, query)
    }

    /// But for what RFC 3986 calls unreserved.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                result.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }
}
