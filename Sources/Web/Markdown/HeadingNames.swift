/// The names by which headings can be referred to, as GitHub gives them: in lower case, without
/// punctuation, with hyphens for spaces, and a number where the name is taken.
struct HeadingNames {
    private var taken: [String: Int] = [:]

    /// The name; and the same in the heading's own case, where that is another: GitHub's pages
    /// look for what is asked for in lower case, too.
    mutating func names(of heading: String) -> [String] {
        let name = Self.words(of: heading.lowercased())
        let count = taken[name, default: 0]
        taken[name] = count + 1
        let written = Self.words(of: heading)
        return (written == name ? [name] : [name, written]).map {
            count == 0 ? $0 : "\($0)-\(count)"
        }
    }

    private static func words(of heading: String) -> String {
        var name = ""
        for scalar in heading.unicodeScalars {
            if scalar == " " {
                name.unicodeScalars.append("-")
            } else if scalar == "-" || isWord(scalar) {
                name.unicodeScalars.append(scalar)
            }
        }
        return name
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
