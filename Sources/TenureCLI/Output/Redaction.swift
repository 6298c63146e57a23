import Content

/// Takes secrets out of whatever is printed: the last gate, for what nobody thought of before.
///
/// What knows where a secret is (a job's type, a URL's own field) takes it out there.
enum Redaction {
    /// `postgresql://user:secret@host`, `password=secret` and `https://a/?token=secret` without the
    /// secret. A text that has been here before stays as it is.
    static func secrets(in text: String) -> String {
        // Most lines hold none.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") })
        else { return text }
        return passwords(in: URLRedaction.text(text))
    }

    private static func passwords(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
        // A quote may be the end of a text in JSON.
        let pair = #/(?i)(password\s*=\s*)('[^']*'|[^\s&"\\]*)/#
        return text.replacing(pair) { "\($0.1)…" }
    }
}
