/// Why somebody does what he does: a line that he may add to any verb, for the audit log.
enum Reason {
    static let name = "because"
    static let title = "why, for the audit log"
    /// As programs are told of it.
    static let parameter = "\(name)?: text  why, for the audit log; \(longest) characters at most"
    /// More is not kept of it.
    private static let longest = 1024

    /// - Returns: nil where nothing was said.
    /// - Throws: `BadRequest` for one that would be cut.
    static func of(_ form: Query) throws -> String? {
        guard let text = form[name] else { return nil }
        let length = text.unicodeScalars.count
        guard length <= longest else {
            throw BadRequest("\(name) is \(length) characters long; give \(longest) at most")
        }
        return text
    }

    /// In the page's one form, so that each of its buttons takes it along, and outside of what is
    /// replaced, so that it stays while somebody types.
    static var box: Markup {
        """
        <label class="reason">\(title)<input name="\(name)" \
        maxlength="\(longest)" size="40" autocomplete="off"></label>
        """
    }
}
