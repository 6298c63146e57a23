import HTTPTransport
import Web

/// What a payload may ask for: less than the worker allows. What is nil stays as it is.
public struct FetchLimits: Sendable, Codable, Hashable {
    public var urlBytes: Int?
    public var redirects: Int?
    public var headerBytes: Int?
    public var connectSeconds: Double?
    public var firstByteSeconds: Double?
    public var stallSeconds: Double?
    public var totalSeconds: Double?
    public var wireBytes: Int?
    public var decodedBytes: Int?
    public var ratio: Int?
    public var encodings: Int?
    /// Of the document: elements inside of one another, nodes, references.
    public var depth: Int?
    public var nodes: Int?
    public var references: Int?

    public init() {}

    /// Why they can't be used, in one line; nil if they can.
    var problem: String? {
        let counts = [
            ("urlBytes", urlBytes), ("headerBytes", headerBytes), ("wireBytes", wireBytes),
            ("decodedBytes", decodedBytes), ("ratio", ratio), ("depth", depth), ("nodes", nodes),
        ]
        for (name, count) in counts {
            if let count, count < 1 { return "limits.\(name) is \(count); give 1 or more" }
        }
        for (name, count) in [
            ("redirects", redirects), ("encodings", encodings), ("references", references),
        ] {
            if let count, count < 0 { return "limits.\(name) is \(count); give 0 or more" }
        }
        let times = [
            ("connectSeconds", connectSeconds), ("firstByteSeconds", firstByteSeconds),
            ("stallSeconds", stallSeconds), ("totalSeconds", totalSeconds),
        ]
        for (name, time) in times {
            if let time, !(time > 0 && time < 1e9) {
                return "limits.\(name) is \(time); give more than 0"
            }
        }
        return nil
    }

    /// The stricter of both.
    func lowering(_ base: HTTPLimits) -> HTTPLimits {
        var own = base
        own.urlBytes = urlBytes ?? own.urlBytes
        own.headerBytes = headerBytes ?? own.headerBytes
        own.connect = connectSeconds.map { .clamped(seconds: $0) } ?? own.connect
        own.firstByte = firstByteSeconds.map { .clamped(seconds: $0) } ?? own.firstByte
        own.stall = stallSeconds.map { .clamped(seconds: $0) } ?? own.stall
        own.total = totalSeconds.map { .clamped(seconds: $0) } ?? own.total
        own.wireBytes = wireBytes ?? own.wireBytes
        own.decodedBytes = decodedBytes ?? own.decodedBytes
        own.ratio = ratio ?? own.ratio
        own.encodings = encodings ?? own.encodings
        return base.lowered(by: own)
    }

    /// Of a document that is read for its content.
    func lowering(_ base: HTMLLimits) -> HTMLLimits {
        var limits = base
        limits.maxDepth = min(limits.maxDepth, depth ?? .max)
        limits.maxNodes = min(limits.maxNodes, nodes ?? .max)
        limits.maxReferences = min(limits.maxReferences, references ?? .max)
        return limits
    }
}
