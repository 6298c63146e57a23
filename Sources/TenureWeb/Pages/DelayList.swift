import Tenure

/// Why something waits, said before all else.
struct DelayList {
    /// A name as those lines have it, and where it leads.
    typealias Name = (text: String, address: String)

    let markup: Markup

    /// - Parameters:
    ///   - whose: what waits.
    ///   - names: what is a link, wherever it is named.
    init(_ delays: [JobDelay], of whose: String, names: [Name], _ links: Links) {
        if delays.isEmpty {
            markup = ""
            return
        }
        let lines = delays.map { delay -> Markup in
            let until: Markup = delay.until.map { ", until \(Markup.moment($0))" } ?? ""
            let jobs = delay.jobs.map { ("\($0.id)", links.to("jobs", "\($0.id)")) }
            return "<li>\(Self.linked(links.redact(delay.detail), jobs + names))\(until)</li>"
        }
        let isRunning = delays.allSatisfy { $0.rule == .running }
        let title: Markup = isRunning ? "" : "<h2>Why \(whose) wait\(whose == "it" ? "s" : "")</h2>"
        markup = "\(title)<div class=\"why\"><ul>\(lines)</ul></div>"
    }

    /// A text in which each name is a link.
    static func linked(_ text: String, _ names: [Name]) -> Markup {
        var rest = text[...]
        var made: Markup = ""
        while true {
            let found = names.filter { !$0.text.isEmpty }.compactMap { name in
                rest.firstRange(of: name.text).map { (range: $0, address: name.address) }
            }
            // Of those that begin at the same place the longest: "mail" stands in "mail-2".
            guard
                let next = found.min(by: { one, other in
                    one.range.lowerBound == other.range.lowerBound
                        ? one.range.upperBound > other.range.upperBound
                        : one.range.lowerBound < other.range.lowerBound
                })
            else { break }
            let link = Markup.link(String(rest[next.range]), to: next.address)
            made = "\(made)\(String(rest[..<next.range.lowerBound]))\(link)"
            rest = rest[next.range.upperBound...]
        }
        return "\(made)\(String(rest))"
    }
}
