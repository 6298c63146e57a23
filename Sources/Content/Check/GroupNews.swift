import TenureFoundation
import Web

/// What the visits of one group came to. Decides nothing that the database has to say.
struct GroupNews: Sendable {
    /// Pages that are well.
    private(set) var well: [(url: WebURL, visit: Visit, isHTML: Bool)] = []
    /// Of those that are well: documents that were read,
    private(set) var read: [SeenDocument] = []
    /// and documents that are as they were, with the answer that says so.
    private(set) var unchanged: [(url: WebURL, hash: [UInt8]?, answer: Visit)] = []
    /// Redirects and failures.
    private(set) var others: [(url: WebURL, visit: Visit)] = []
    /// URLs that gave something else than a document to read: redirects, and whatever else.
    private(set) var documentless: [WebURL] = []
    /// Not visited any more: one commit would get too large, or too late.
    var left: [WebURL] = []
    /// Why they aren't: the host wants a pause.
    var refusal: Visit?
    private var edges = 0

    private static let mostEdges = 20_000

    var isFull: Bool { edges >= Self.mostEdges }
    /// Whether nothing was visited.
    var isEmpty: Bool { well.isEmpty && others.isEmpty }

    mutating func take(_ visit: Visit, of url: WebURL, known: ListKnownPages.Row?) {
        if visit.isAccepted { return well.append((url, visit, false)) }
        guard visit.state == .ok else {
            if visit.next != nil { documentless.append(url) }
            return others.append((url, visit))
        }
        let plain = Visit(state: .ok, status: visit.status)
        if visit.status == 304, let known, known.isWhole {
            well.append((url, plain, known.isHTML))
            unchanged.append((url, known.hash, visit))
            return
        }
        guard let document = visit.document, let page = ScannedPage(document) else {
            if visit.status != 304 { documentless.append(url) }
            return well.append((url, plain, false))
        }
        read.append(SeenDocument(document, of: url, by: visit, page))
        edges += page.edges.count + page.anchors.count
        if MissingPage.isOne(document, page, asked: url) {
            others.append((url, .softMissing(status: visit.status)))
        } else {
            well.append((url, plain, page.isPage))
        }
    }

    /// Every URL that the documents refer to.
    var targets: [(id: UUID, href: String)] {
        read.flatMap { zip($0.targets.ids, $0.targets.hrefs).map { (id: $0, href: $1) } }
    }
}
