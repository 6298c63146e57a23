/// Makes keys of several values.
public enum JobKey {
    /// A key of a payload's fields, or of any values: `JobKey.of("invoice", order.id, region)` is
    /// one job at a time for each order and region, in the modes that ``KeyMode`` has.
    ///
    /// Each part stands by its description, between slashes. Different parts never make the same
    /// key: a slash and a percent sign within a part are written as `%2F` and `%25`, nil as `%`. As
    /// any key it may have 1024 bytes; a longer one is refused by the enqueue.
    public static func of(_ parts: (any CustomStringConvertible)?...) -> String {
        parts.map { part in part.map { escaped($0.description) } ?? "%" }.joined(separator: "/")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "/": escaped += "%2F"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
