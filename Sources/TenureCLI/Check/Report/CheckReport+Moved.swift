import Content
import Tenure

/// What has moved for good, for people.
extension CheckReport {
    /// Where they are findings, they are told of as such.
    var shownMoved: [MovedLink] {
        findings.contains { $0.code == "movedForGood" } ? [] : moved
    }

    /// How many there are; nil where there are none.
    var movedLine: String? {
        let moved = shownMoved
        if moved.isEmpty { return nil }
        let places = moved.reduce(0) { $0 + $1.places.count }
        return "\(CountText.of(moved.count, "target")) moved for good, linked at "
            + CountText.of(places, "place")
    }
}

extension MovedLink {
    /// The files where they are some: a folder's port says nothing.
    var shownFrom: String { fromFile ?? from }
    var shownTo: String { toFile ?? to }
}

extension MovedLink.Place {
    /// `page:line:column`, as editors take it.
    var spot: String { "\(file ?? page):\(line):\(column)" }
}
