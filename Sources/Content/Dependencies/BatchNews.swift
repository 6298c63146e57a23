import Web

/// What the visits of one batch came to. Decides nothing that the database has to say.
struct BatchNews: Sendable {
    /// A page that is well, as a run records it.
    struct Page: Sendable {
        let url: WebURL
        let status: Int?
        let isHTML: Bool
    }

    private(set) var well: [Page] = []
    /// Of those that are well: documents that were read,
    private(set) var read: [FetchedItem] = []
    /// and documents that are as they were.
    private(set) var unchanged: [WebURL] = []
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
        guard visit.state == .ok else {
            if visit.next != nil { documentless.append(url) }
            return others.append((url, visit))
        }
        if visit.status == 304, let known, known.isWhole {
            well.append(Page(url: url, status: 304, isHTML: known.isHTML))
            unchanged.append(url)
            return
        }
        let item = visit.document.flatMap { document in
            ScannedPage(document).map {
                FetchedItem(url: url, document, status: visit.status, page: $0)
            }
        }
        if let item {
            read.append(item)
            edges += item.edges.count + item.anchors.count
        }
        if let item, let document = visit.document, Self.isMissing(item, document) {
            return others.append((url, .softMissing(status: visit.status)))
        }
        if item == nil, visit.status != 304 { documentless.append(url) }
        well.append(Page(url: url, status: visit.status, isHTML: item?.isHTML ?? false))
    }

    /// Reading all of a page costs more than scanning it: only where the title gives reason to.
    private static func isMissing(_ item: FetchedItem, _ document: FetchedDocument) -> Bool {
        item.isHTML && MissingPage.isTold(by: item.title ?? "")
            && Extract(document, asked: item.url).suspicion == .softMissing
    }

    /// Every URL that the documents refer to, once.
    var hrefs: [String] { read.uniqueTargets }
}

extension [FetchedItem] {
    /// Every URL that they refer to, once.
    var uniqueTargets: [String] {
        var seen: Set<String> = []
        return flatMap(\.targets).map(\.href).filter { seen.insert($0).inserted }
    }
}
