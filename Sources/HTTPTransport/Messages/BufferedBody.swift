/// Bytes that need no connection, handed out at once and once.
final class BufferedBody: HTTPBodySource {
    let url = ""
    let timings = HTTPTimings()
    private let count: Int
    private let rest: Lock<[UInt8]?>

    init(_ bytes: [UInt8]) {
        count = bytes.count
        rest = Lock(bytes.isEmpty ? nil : bytes)
    }

    var progress: HTTPBodyProgress {
        var progress = HTTPBodyProgress()
        progress.wireBytes = count
        progress.decodedBytes = count
        return progress
    }

    func next() async throws -> [UInt8]? {
        try Task.checkCancellation()
        return rest.withLock { $0.take() }
    }

    func cancel() {}
    func abandon(_ error: any Error) {}
}
