/// The names by which headings can be referred to, as GitHub gives them: in lower case, without
/// punctuation, with hyphens for spaces, and a number where the name is taken.
struct HeadingNames {
    private var taken: [String: Int] = [:]

    mutating func name(of heading: String) -> String {
        var name = ""
        for scalar in heading.lowercased().unicodeScalars {
            if scalar == " " {
                name.unicodeScalars.append("-")
            } else if scalar == "-" || Self.isWord(scalar) {
                name.unicodeScalars.append(scalar)
            }
        }
        let count = taken[name, default: 0]
        taken[name] = count + 1
        return count == 0 ? name : "\(name)-\(count)"
    }

    /// Unicode's word characters (UTS 18, annex C).
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark,
            .letterNumber:
            true
        default: scalar.properties.isAlphabetic
        }
    }
}
