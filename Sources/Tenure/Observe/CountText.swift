/// Numbers of things, for people: `1 job`, `2 jobs`.
package enum CountText {
    package static func of(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// With what they do: `1 job runs`, `2 jobs run`.
    /// - Parameter between: what stands before the verb, such as `of mail`.
    package static func of(
        _ number: some BinaryInteger, _ noun: String, _ between: String = "", do verb: String
    ) -> String {
        let gap = between.isEmpty ? " " : " \(between) "
        return of(number, noun) + gap + verb + (number == 1 ? "s" : "")
    }

    /// With a comma between thousands: `12,345`.
    package static func grouped(_ number: Int) -> String {
        var text = "\(number.magnitude)"
        for place in stride(from: text.count - 3, to: 0, by: -3) {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
        }
        return number < 0 ? "-" + text : text
    }
}
