/// Which fields of a request chose the response (RFC 9110, section 12.5.5).
public enum Vary: Hashable, Sendable {
    /// By more than the request: it is never the answer to another one.
    case anything
    /// Names in lower case, sorted; none means every request for the URL.
    case fields([String])

    public init(_ text: String) {
        let names = text.split(separator: ",").map {
            HTMLText.collapsing(Array($0.utf8), limit: .max).lowercased()
        }
        self = names.contains("*") ? .anything : .fields(Set(names).subtracting([""]).sorted())
    }
}
