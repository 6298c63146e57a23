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

    /// Whether a response to one request may answer another (RFC 9111, section 4.1). Values are
    /// compared without white space around their commas.
    public func allows(
        first: (String) -> String?, second: (String) -> String?
    ) -> Bool {
        guard case .fields(let names) = self else { return false }
        return names.allSatisfy { normalized(first($0)) == normalized(second($0)) }
    }

    private func normalized(_ value: String?) -> [String]? {
        value.map { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map {
                HTMLText.collapsing(Array($0.utf8), limit: .max)
            }
        }
    }
}
