/// A body without its encodings, decoded by whoever reads it: the event thread only moves bytes,
/// and what isn't read isn't decoded.
final class DecodedBody: HTTPBodySource {
    private struct State {
        var chain: Result<DecodingChain, HTTPTransportError>
        var failure: (any Error)?
    }

    /// Held, not only its source: the connection lives as long as somebody could still read.
    private let raw: HTTPBody
    private let state: Lock<State>

    init(_ raw: HTTPBody, codings: [String], limits: HTTPLimits) {
        self.raw = raw
        let url = raw.source.url
        do {
            let chain = try DecodingChain(codings, limits: limits, url: url)
            state = Lock(State(chain: .success(chain)))
        } catch {
            let refusal =
                error as? HTTPTransportError
                ?? HTTPTransportError(.badEncoding, url: url, detail: "\(error)")
            state = Lock(State(chain: .failure(refusal)))
        }
    }

    var url: String { raw.source.url }
    var timings: HTTPTimings { raw.source.timings }

    var progress: HTTPBodyProgress {
        var progress = raw.source.progress
        // Reason for `try?`: a chain that was refused has decoded nothing.
        progress.decodedBytes = state.withLock { (try? $0.chain.get())?.decodedBytes ?? 0 }
        return progress
    }

    func next() async throws -> [UInt8]? {
        do {
            while true {
                switch try step() {
                case .output(let bytes): return bytes
                case .working: try Task.checkCancellation()
                case .needsInput:
                    guard let bytes = try await raw.source.next() else {
                        try finish()
                        return nil
                    }
                    try feed(bytes)
                }
            }
        } catch {
            abandon(error)
            throw error
        }
    }

    func cancel() {
        raw.cancel()
    }

    func abandon(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
        raw.source.abandon(error)
    }

    private func step() throws -> DecodingChain.Step {
        try change { try $0.step() } ?? .needsInput
    }

    private func finish() throws {
        try change { try $0.finish() }
    }

    /// A body that can't be decoded is refused when it turns out to have any bytes.
    private func feed(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            var chain = try state.chain.get()
            chain.feed(bytes)
            state.chain = .success(chain)
        }
    }

    private func change<Result>(
        _ body: (inout DecodingChain) throws -> Result
    ) throws -> Result? {
        try state.withLock { state -> Result? in
            if let failure = state.failure { throw failure }
            guard case .success(var chain) = state.chain else { return nil }
            do {
                let result = try body(&chain)
                state.chain = .success(chain)
                return result
            } catch let failure as DecodingFailure {
                throw HTTPTransportError(failure.code, url: url, detail: failure.detail)
            }
        }
    }
}
