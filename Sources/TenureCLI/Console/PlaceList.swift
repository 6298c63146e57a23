import Content
import TenureWeb

/// Where something is referred to, in the notation of the commands: `page:line:column: kind what`.
struct PlaceList {
    let markup: Markup
    /// Of more it is said how many they are.
    private static let most = 5

    init(_ places: [LinkPlace]) {
        self.init(
            places.map { place in
                let text = place.text.map { " \"\($0)\"" } ?? ""
                let spot = "\(URLRedaction.text(place.page)):\(place.line):\(place.column)"
                return "\(spot): \(place.kind) \(URLRedaction.reference(place.raw))\(text)"
            })
    }

    init(_ places: [FindingPlace]) {
        self.init(
            places.map { place in
                let text = place.text.map { " \"\($0)\"" } ?? ""
                return "\(place.spot): \(place.kind) \(place.raw)\(text)"
            })
    }

    private init(_ lines: [String]) {
        let shown = lines.prefix(Self.most).map { line -> Markup in
            "<div>\(line.replacing("\n", with: " "))</div>"
        }
        let more = lines.count - shown.count
        let rest: Markup = more > 0 ? "<div class=\"soft\">and \(more) more</div>" : ""
        markup = "\(shown)\(rest)"
    }
}
