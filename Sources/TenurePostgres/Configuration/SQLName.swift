/// Names as SQL takes them.
enum SQLName {
    static func quoted(_ name: String) -> String {
        let doubled = name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"")
        return "\"\(doubled)\""
    }
}
