/// Counts a body on the wire and decoded, and says when it is too much.
struct BodyMeter: Sendable {
    let limits: HTTPLimits
    private(set) var progress = HTTPBodyProgress()

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// - Parameters:
    ///   - decoded: bytes that came out since the last call.
    ///   - wire: bytes that went in since the start.
    mutating func count(decoded: Int, wire: Int) -> Excess? {
        progress.decodedBytes += decoded
        progress.wireBytes = max(progress.wireBytes, wire)
        if progress.wireBytes > limits.wireBytes { return .wire(limits.wireBytes) }
        if progress.decodedBytes > limits.decodedBytes { return .decoded(limits.decodedBytes) }
        let room = limits.ratio.multipliedReportingOverflow(by: progress.wireBytes)
        let isInflated = !room.overflow && progress.decodedBytes > room.partialValue
        if isInflated && progress.decodedBytes > limits.ratioAppliesAfterBytes {
            return .ratio(limits.ratio)
        }
        return nil
    }

    enum Excess: Sendable, Hashable {
        case wire(Int)
        case decoded(Int)
        case ratio(Int)

        var code: HTTPTransportError.Code {
            if case .ratio = self { .bombRatio } else { .bodyTooLarge }
        }

        var detail: String {
            switch self {
            case .wire(let limit): "more than \(limit) bytes on the wire"
            case .decoded(let limit): "more than \(limit) bytes decoded"
            case .ratio(let limit): "more than \(limit) times larger decoded than on the wire"
            }
        }
    }
}
