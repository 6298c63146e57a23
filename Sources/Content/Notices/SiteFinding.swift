import Tenure
import TenureFoundation

/// Something that is wrong with a site, under a name that is the same in every check: where it
/// leads, and in which way it is wrong. A target that answers 404 today and nothing tomorrow is
/// broken all the while.
struct SiteFinding: Sendable {
    enum Way: String {
        case broken, missingFragment, badURL, canonicalLoop
        case missingText, movedForGood, insecureLink, mixedContent, sameEverywhere
        case badMail, noMailServer

        init(code: String) { self = Way(rawValue: code) ?? .broken }
    }

    let id: UUID
    /// As its target has it, with whatever secrets are in it.
    let href: String
    let finding: Finding

    /// Nil for a text that is no URL.
    var target: UUID? { Way(code: finding.code) == .badURL ? nil : Digest.id(of: href) }

    /// Without the places where a rule ignores it; nil where that is everywhere.
    func counting(by rules: [IgnoreRule]) -> SiteFinding? {
        IgnoreSplit([finding], by: rules).counting.first.map {
            SiteFinding(id: id, href: href, finding: $0)
        }
    }

    /// Rows of one target, way and fragment are one.
    static func group(_ rows: [FoundPlace], _ check: StartedCheck) -> [SiteFinding] {
        let files = FileNames(check)
        return Dictionary(grouping: rows, by: name).compactMap { name, rows in
            guard let finding = Finding(rows, files) else { return nil }
            return SiteFinding(id: Digest.id(of: name), href: rows[0].target, finding: finding)
        }
        .sorted { ($0.href, $0.finding.fragment ?? "") < ($1.href, $1.finding.fragment ?? "") }
    }

    private static func name(_ row: FoundPlace) -> String {
        "\(Way(code: row.code).rawValue) \(row.target)\n\(row.fragment ?? "")"
    }

    /// For a notice.
    var news: Notice.Break {
        let places = finding.places.prefix(Notice.mostPlaces).map { place in
            Notice.Place(
                page: place.page.storable, line: place.line, column: place.column,
                text: place.text?.storable)
        }
        return Notice.Break(
            target: finding.target.storable, fragment: finding.fragment?.storable,
            code: finding.code, status: finding.status, detail: finding.detail?.storable,
            isHard: finding.isHard, lastOkAt: finding.lastOkAt, places: places,
            placeCount: finding.placeCount ?? finding.places.count)
    }
}
