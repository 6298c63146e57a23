import HTTPTransport
import TenureFoundation
import Web

/// What is known of a file before it is asked for.
struct FileMemory: Sendable {
    let url: WebURL
    /// Its item, as it was before the request.
    let item: ReadItems.Row
    /// As it once was complete.
    let known: ReadFile.Row?
    /// What has come of it since.
    let begun: Download?
    let isForced: Bool

    /// What the server is asked for the rest of.
    var rest: Download? { begun.flatMap { $0.canGoOn ? $0 : nil } }

    /// Asking for the rest and whether it has changed are two questions.
    var condition: ReadFile.Row? { rest == nil && !isForced ? known : nil }

    /// Whether something had come before, and this download is another.
    func isBegunAnew(by download: Download) -> Bool {
        begun.map { $0.received > 0 && $0.id != download.id } ?? false
    }
}

/// A response whose body is on its way, and where it belongs.
struct FileAnswer: Sendable {
    let visit: Visit
    let document: FetchedDocument
    let response: HTTPResponse
    /// As it was when the head had come.
    let asked: FetchRecord
    private let arrivedAt = ContinuousClock.now

    init(
        _ visit: Visit, _ document: FetchedDocument, _ response: HTTPResponse,
        _ asked: FetchRecord
    ) {
        self.visit = visit
        self.document = document
        self.response = response
        self.asked = asked
    }

    /// With what has come of the body.
    var record: FetchRecord {
        var record = asked
        record.hops.end(response, after: arrivedAt.duration(to: .now))
        return record
    }
}

/// What `job show` says of a file's fetch.
struct FileResult: Codable, Sendable {
    let outcome: String
    var status: Int?
    var bytes: Int64?
    var hash: String?
}
