import Web

extension CheckVisits {
    /// What was answered, unless the page, or where it sends everybody, says that nothing is there.
    func judgedByItsWords(_ visit: Visit, at place: Place) -> Visit {
        guard place.check.options.rules.aspects.softMissing, !visit.isAccepted else { return visit }
        if let next = visit.next, next.host == place.url.host,
            Suspicion.ofDetour(from: place.url, to: next) == .softMissing
        {
            return .failed(
                FindingCode.softMissing, "it leads to the start of its site", status: visit.status)
        }
        guard visit.state == .ok, let document = visit.document, let page = ScannedPage(document),
            MissingPage.isOne(document, page, asked: place.url)
        else { return visit }
        return .softMissing(status: visit.status, code: FindingCode.softMissing)
    }
}
