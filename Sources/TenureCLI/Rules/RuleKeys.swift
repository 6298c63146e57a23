import Content

/// The keys of a rule file. Where there is a flag for the same, it has the same name.
enum RuleKey: String, CaseIterable {
    case include, exclude, foreign, accept, requests, ignore
    case contact, depth, pages, strict, fragments, interval, timeout, fresh
    case userAgent = "user-agent"
    case foreignFragments = "foreign-fragments"
    case textFragments = "text-fragments"
    case softMissing = "soft-404"
    case mail
    case moved
    case insecureLinks = "insecure-links"
    case limits

    /// Under `limits`.
    enum Limit: String, CaseIterable { case total, body, looks }

    /// Of one of `accept`.
    enum Accept: String, CaseIterable { case status, at }

    /// Of one of `requests`.
    enum Request: String, CaseIterable { case to, headers, basic, cookies }

    /// Under `basic`.
    enum Basic: String, CaseIterable { case user, password }

    /// Of one of `ignore`.
    enum Ignore: String, CaseIterable { case target, code, page, reason, until }
}

extension RuleKey {
    /// What else of links it has looked at; nil for the other keys.
    var aspect: WritableKeyPath<CheckAspects, Bool>? {
        switch self {
        case .foreignFragments: \.foreignFragments
        case .textFragments: \.text
        case .softMissing: \.softMissing
        case .mail: \.mail
        case .moved: \.moved
        case .insecureLinks: \.insecureLinks
        default: nil
        }
    }
}

/// What somebody may have meant.
enum NearestName {
    /// The one with the fewest letters to change; the first of them.
    static func of(_ name: String, among names: [String]) -> String? {
        // What is far longer than any of them is not compared letter by letter.
        let short = Array(name.lowercased().prefix(40))
        return names.min { distance(short, Array($0)) < distance(short, Array($1)) }
    }

    /// Letters to put in, to leave out or to exchange.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in other.indices {
                let exchanged = diagonal + (letter == other[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(exchanged, diagonal + 1, row[place] + 1)
            }
        }
        return row[other.count]
    }
}
