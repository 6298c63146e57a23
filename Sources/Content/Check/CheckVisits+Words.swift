import Web

extension CheckVisits {
    /// What was answered, unless the page says that nothing is there.
    func judgedByItsWords(_ visit: Visit, at place: Place) -> Visit {
        guard place.check.options.rules.aspects.softMissing, !visit.isAccepted,
            visit.state == .ok, let document = visit.document, let page = ScannedPage(document),
            MissingPage.isOne(document, page, asked: place.url)
        else { return visit }
        return .softMissing(status: visit.status, code: FindingCode.softMissing)
    }
}
