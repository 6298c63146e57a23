import HTTPTransport
import TenureFoundation
import Web

/// What a response to a file's request means for what has come already. A pure rule.
enum FileReply: Hashable, Sendable {
    /// Its body is the file from the first byte on.
    case whole(total: Int64?, validator: String?)
    /// Its body goes on where the download is, up to `stop`.
    case rest(total: Int64?, stop: Int64)
    /// Nothing is left to come.
    case nothingLeft
    /// What is there is as it was when it was complete.
    case unchanged
    /// What came can't be put to what is there; why.
    case unusable(String)

    /// - Parameter asked: the download that the request wanted the rest of; nil when it wanted all.
    init(_ response: HTTPResponse, asked: Download?, now: HTTPDate) {
        let range = response.headers["Content-Range"].flatMap { ContentRange($0) }
        switch (response.status, asked) {
        case (304, nil): self = .unchanged
        case (206, let asked?): self = Self.rest(range, of: asked)
        case (416, let asked?) where range?.bytes == nil && range?.total == asked.received:
            self = .nothingLeft
        case (416, .some):
            self = .unusable(
                "the server has no byte \(asked?.received ?? 0), and doesn't end there")
        case (206, nil), (304, _):
            self = .unusable("status \(response.status) to a request that gave no reason for it")
        default:
            self = .whole(
                total: response.headers["Content-Length"].flatMap { ByteCount.parse($0) },
                validator: Self.validator(response, sameAs: asked, now: now))
        }
    }

    /// How many bytes there are at least.
    var bytes: Int64 {
        switch self {
        case .whole(let total, _): total ?? 0
        case .rest(let total, let stop): max(total ?? 0, stop)
        case .nothingLeft, .unchanged, .unusable: 0
        }
    }

    private static func rest(_ range: ContentRange?, of download: Download) -> FileReply {
        guard let range, let bytes = range.bytes, let stop = range.stop else {
            return .unusable("a part without a Content-Range that says which")
        }
        guard bytes.lowerBound == download.received else {
            return .unusable(
                "a part that begins at \(bytes.lowerBound), where \(download.received) was wanted")
        }
        if let total = range.total, let known = download.total, total != known {
            return .unusable("a part of \(total) bytes, where there were \(known)")
        }
        return .rest(total: range.total ?? download.total, stop: stop)
    }

    /// What the rest can be asked for by. Who sends the whole although it is the same file has no
    /// ranges: what comes can't be gone on with, and counts as no progress.
    private static func validator(
        _ response: HTTPResponse, sameAs asked: Download?, now: HTTPDate
    ) -> String? {
        guard response.headers["Accept-Ranges"]?.lowercased() != "none" else { return nil }
        let cached = CachedResponse(
            status: response.status, requestTime: now, responseTime: now
        ) { response.headers[$0] }
        guard let validator = cached.rangeValidator, validator != asked?.validator else {
            return nil
        }
        return validator
    }
}
