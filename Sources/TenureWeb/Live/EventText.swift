/// A server-sent event, as its stream has it.
enum EventText {
    /// - Parameter data: of any lines.
    static func of(_ name: String, _ data: String) -> String {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false)
        return "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }
}
