public import Content
import Tenure
import TenureFoundation

/// What depends on items, for people.
enum ImpactText {
    /// - Parameter names: what the caller called each of them, for those that nothing is known of.
    static func text(_ impacts: [ItemImpact], named names: [String] = []) -> String {
        var lines: [String] = []
        for (index, impact) in impacts.enumerated() {
            lines += self.lines(impact, index < names.count ? names[index] : nil)
            if !impact.places.isEmpty { lines.append("") }
        }
        return (lines + [counts(impacts)]).joined(separator: "\n")
    }

    private static func lines(_ impact: ItemImpact, _ given: String?) -> [String] {
        let name =
            (impact.url ?? given).map(URLRedaction.text) ?? impact.id.uuidString.lowercased()
        var lines = ["\(word(impact.verdict))  \(name)\(remark(impact))"]
        lines += impact.places.map(line)
        let left = impact.placeCount - impact.places.count
        if left > 0 { lines.append("    … and \(left) more; see them with --places") }
        return lines.map { Terminal.harmless($0) }
    }

    private static func remark(_ impact: ItemImpact) -> String {
        if impact.url == nil { return ": nothing is known of it" }
        if impact.placeCount == 0 {
            return impact.verdict == .unknown
                ? ": nobody has looked at the rest of its site lately" : ""
        }
        let places = CountText.of(impact.placeCount, "place")
        return impact.hardCount == 0 ? ": \(places)" : ": \(places), \(impact.hardCount) break"
    }

    static func line(_ place: DependentPlace) -> String {
        let via = place.via.map { " by way of \(URLRedaction.text($0))" } ?? ""
        let weight = place.isHard ? " (breaks)" : ""
        let text = place.text.map { " \"\($0.replacing("\n", with: " "))\"" } ?? ""
        return "    \(URLRedaction.text(place.page)):\(place.line):\(place.column): \(place.kind) "
            + "\(URLRedaction.reference(place.raw))\(text)\(via)\(weight), seen "
            + TimeText.relative(place.seenAt)
    }

    static func word(_ verdict: ItemImpact.Verdict) -> String {
        verdict == .safeWithRedirect ? "safe with a redirect" : verdict.rawValue
    }

    private static func counts(_ impacts: [ItemImpact]) -> String {
        ItemImpact.Verdict.allCases.compactMap { verdict in
            let count = impacts.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(word(verdict))"
        }.joined(separator: ", ")
    }
}

extension URLRedaction {
    /// A reference as it is written in a page, which may be a relative one.
    static func reference(_ raw: String) -> String {
        let base = raw.contains("://") ? "" : raw.hasPrefix("//") ? "http:" : "http://page/"
        return String(text(base + raw).dropFirst(base.count))
    }
}

/// URLs are without secrets; the id names the item all the same.
extension ItemImpact: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "id": id, "url": url.map(URLRedaction.text), "verdict": verdict,
            "placeCount": placeCount, "hardCount": hardCount, "places": places,
        ])
    }
}

extension DependentPlace: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "page": URLRedaction.text(page), "line": line, "column": column, "kind": kind,
            "isHard": isHard, "raw": URLRedaction.reference(raw), "text": text,
            "via": via.map(URLRedaction.text), "seenAt": seenAt,
        ])
    }
}
