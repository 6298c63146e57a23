import Content

/// Takes secrets out of whatever is printed: the last gate, for what nobody thought of before.
///
/// What knows where a secret is (a job's type, a URL's own field) takes it out there.
enum Redaction {
    /// `postgresql://user:secret@host`, `password=secret` and `https://a/?token=secret` without the
    /// secret. A text that has been here before stays as it is.
    ///
    /// - Parameter isDocument: what delimits fields of JSON, XML, HTML, CSV and Markdown ends a
    ///   secret: a page that has `password=` in it is not to take along what stands behind it.
    static func secrets(in text: String, isDocument: Bool = false) -> String {
        // Most lines hold none.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") })
        else { return text }
        return passwords(in: URLRedaction.text(text), isDocument)
    }

    private static func passwords(in text: String, _ isDocument: Bool) -> String {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
        if isDocument {
            let pair = #/(?i)(password[ \t]*=[ \t]*)('[^'\n<>"\\|,`&]*'|[^\s&"\\<>,|`']*)/#
            return text.replacing(pair) { "\($0.1)…" }
        }
        // A quote may be the end of a text in JSON.
        let pair = #/(?i)(password\s*=\s*)('[^']*'|[^\s&"\\]*)/#
        return text.replacing(pair) { "\($0.1)…" }
    }
}
