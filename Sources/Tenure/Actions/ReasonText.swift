/// Why somebody acts, for those who look later: a text that the audit log keeps whole.
package enum ReasonText {
    /// Characters, as PostgreSQL counts them; `tenure.note_action` cuts what is longer.
    package static let longest = 1024

    /// - Returns: nil for one that says nothing.
    /// - Throws: `TenureError` with `.invalidJob` for one that would be cut, or can't be kept.
    package static func checked(_ text: String) throws -> String? {
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        let length = text.unicodeScalars.count
        guard length <= longest else {
            throw TenureError(
                .invalidJob, "the reason is \(length) characters long; give \(longest) at most")
        }
        guard !text.utf8.contains(0) else {
            throw TenureError(.invalidJob, "the reason contains a NUL character; remove it")
        }
        return text
    }
}
