/// A body, in chunks, as fast as it is read: a reader that lags stops the sender.
///
/// It can be read once. Bytes are decoded. Cancelling the task that waits for a chunk closes the
/// connection, and so does dropping a body that wasn't read to its end.
public struct HTTPBody: Sendable, AsyncSequence {
    public typealias Element = [UInt8]

    private let reader: Reader

    package init(source: any HTTPBodySource) {
        reader = Reader(source: source)
    }

    /// A body that is already here.
    public init(_ bytes: [UInt8]) {
        self.init(source: BufferedBody(bytes))
    }

    /// How much has come: as it travelled, and as it was decoded.
    public var progress: HTTPBodyProgress { reader.source.progress }

    var timings: HTTPTimings { source.timings }
    var source: any HTTPBodySource { reader.source }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader)
    }

    /// Reads the rest.
    /// - Throws: `bodyTooLarge` if there is more than `limit` bytes; the connection is closed.
    public func collect(limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await chunk in self {
            guard bytes.count + chunk.count <= limit else {
                cancel()
                throw HTTPTransportError(
                    .bodyTooLarge, url: reader.source.url, detail: "more than \(limit) bytes")
            }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
        return bytes
    }

    /// Closes the connection if the body hasn't ended; whoever still reads gets an error.
    public func cancel() {
        reader.source.cancel()
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// - Throws: ``HTTPTransportError``, or `CancellationError`.
        public mutating func next() async throws -> [UInt8]? {
            try await reader.source.next()
        }
    }

    /// Exists as long as somebody could still read.
    fileprivate final class Reader: Sendable {
        let source: any HTTPBodySource

        init(source: any HTTPBodySource) {
            self.source = source
        }

        deinit {
            source.cancel()
        }
    }
}

public struct HTTPBodyProgress: Sendable, Hashable {
    public var wireBytes = 0
    public var decodedBytes = 0

    public init() {}
}

package protocol HTTPBodySource: Sendable {
    var url: String { get }
    var progress: HTTPBodyProgress { get }
    var timings: HTTPTimings { get }
    func next() async throws -> [UInt8]?
    func cancel()
    /// Gives it up: whoever reads from now on gets the error.
    func abandon(_ error: any Error)
}
