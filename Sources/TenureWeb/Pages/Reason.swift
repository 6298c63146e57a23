import Tenure

/// Why somebody does what he does: a line that he may add to verbs, for the audit log.
enum Reason {
    static let name = "because"
    static let title = "why, for the audit log"
    /// As programs are told of it.
    static let parameter =
        "\(name)?: text  why, for the audit log; \(ReasonText.longest) characters at most"

    /// - Returns: nil where nothing was said.
    /// - Throws: `TenureError` with `.invalidJob` for one that would be cut.
    static func of(_ form: Query) throws -> String? {
        try form[name].flatMap { try ReasonText.checked($0) }
    }

    /// In the page's one form, so that each of its buttons takes it along, and outside of what is
    /// replaced, so that it stays while somebody types.
    static var box: Markup {
        """
        <label class="reason">\(title)<input name="\(name)" \
        maxlength="\(ReasonText.longest)" size="40" autocomplete="off"></label>
        """
    }
}
