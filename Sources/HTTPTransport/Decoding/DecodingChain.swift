// docs/decisions/decoding.md

/// Undoes the encodings that are wrapped around a body, the last one first.
///
/// Pure, and a small piece at a time: however little input a stream needs to keep a decoder busy,
/// a step ends after one buffer of output. What a layer puts out is metered, also where only the
/// next layer sees it: a stream of empty blocks inside another encoding comes to nothing, at a
/// gigabyte of work for every kilobyte sent.
struct DecodingChain {
    enum Step: Equatable {
        case output([UInt8])
        /// Something was done, but nothing has come out yet.
        case working
        case needsInput
    }

    static let stepBytes = 64 << 10

    fileprivate struct Layer {
        let coding: ContentCoding
        let decoder: any StreamDecoder
        var meter: BodyMeter
        var input: [UInt8] = []
        var offset = 0
        /// The last step filled its buffer, so the decoder may have more without more input.
        var mayHoldOutput = false
        var isComplete = true
    }

    private var layers: [Layer] = []
    /// What of the body has been used, not what has arrived: how it came in pieces is no matter.
    private var usedBytes = 0

    /// - Parameter codings: in the order in which they were applied.
    /// - Throws: `badEncoding`.
    init(_ codings: [String], limits: HTTPLimits, url: String) throws {
        func refuse(_ problem: String) -> HTTPTransportError {
            HTTPTransportError(.badEncoding, url: url, detail: problem)
        }
        guard codings.count <= limits.encodings else {
            throw refuse("\(codings.count) encodings around each other")
        }
        for name in codings.reversed() {
            guard let coding = ContentCoding(name: name) else {
                throw refuse("the encoding '\(name.prefix(40))' is unknown")
            }
            guard let decoder = coding.makeDecoder() else { throw refuse("out of memory") }
            layers.append(
                Layer(coding: coding, decoder: decoder, meter: BodyMeter(limits: limits)))
        }
    }

    var decodedBytes: Int { layers.last?.meter.progress.decodedBytes ?? 0 }

    /// Takes what arrived; only when a step has said that it needs input.
    mutating func feed(_ bytes: [UInt8]) {
        layers[0].take(bytes)
    }

    /// - Throws: ``DecodingFailure``.
    mutating func step() throws(DecodingFailure) -> Step {
        try step(layers.count - 1)
    }

    /// Says whether the body's end is the end of every stream in it.
    mutating func finish() throws(DecodingFailure) {
        for layer in layers where !layer.isComplete {
            throw DecodingFailure(.truncated, "the \(layer.coding) stream breaks off")
        }
    }

    private mutating func step(_ index: Int) throws(DecodingFailure) -> Step {
        if !layers[index].hasWork {
            guard index > 0 else { return .needsInput }
            switch try step(index - 1) {
            case .output(let bytes): layers[index].take(bytes)
            case let other: return other
            }
        }
        let before = layers[index].offset
        let output = try layers[index].decode()
        if index == 0 { usedBytes += layers[0].offset - before }
        if let excess = layers[index].meter.count(decoded: output.count, wire: usedBytes) {
            throw DecodingFailure(excess.code, excess.detail)
        }
        return output.isEmpty ? .working : .output(output)
    }
}

struct DecodingFailure: Error {
    var code: HTTPTransportError.Code
    var detail: String

    init(_ code: HTTPTransportError.Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension DecodingChain.Layer {
    var hasWork: Bool { offset < input.count || mayHoldOutput }

    mutating func take(_ bytes: [UInt8]) {
        input = bytes
        offset = 0
    }

    mutating func decode() throws(DecodingFailure) -> [UInt8] {
        var step = DecodingStep(consumed: 0, produced: 0, isAtEnd: false)
        var problem: String?
        let output = [UInt8](unsafeUninitializedCapacity: DecodingChain.stepBytes) {
            buffer, count in
            input.withUnsafeBytes { bytes in
                do {
                    step = try decoder.decode(
                        UnsafeRawBufferPointer(rebasing: bytes[offset...]),
                        into: UnsafeMutableRawBufferPointer(buffer))
                } catch {
                    problem = (error as? BrokenStream)?.detail ?? "\(error)"
                }
            }
            count = step.produced
        }
        let isStuck = step.consumed == 0 && step.produced == 0 && offset < input.count
        if isStuck && !mayHoldOutput { problem = problem ?? "it leads nowhere" }
        if let problem { throw DecodingFailure(.badEncoding, "\(coding): \(problem)") }
        offset += step.consumed
        mayHoldOutput = step.produced == DecodingChain.stepBytes
        isComplete = step.isAtEnd
        return output
    }
}
