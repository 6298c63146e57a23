/// Numbers of things, for people: `1 job`, `2 jobs`.
enum CountText {
    static func of(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
