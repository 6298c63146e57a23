import TenureFoundation

/// A payload while it is being decoded. Who keeps hold of it finds it closed afterwards.
final class PayloadDocument {
    private let text: UnsafeBufferPointer<UInt8>
    private let nodes: UnsafeMutableBufferPointer<PayloadNode>
    /// The bytes and the nodes are there for as long as the decoding lasts.
    private var isOpen = true
    /// What comes of it doesn't count: Foundation decodes the payload.
    private(set) var isLeft = false
    /// Whose `init(from:)` runs. Foundation's decoders all read this one's value, even one that
    /// somebody has kept: theirs is not to be guessed.
    private var current: UInt32 = 0

    private init(
        _ text: UnsafeBufferPointer<UInt8>, _ nodes: UnsafeMutableBufferPointer<PayloadNode>
    ) {
        self.text = text
        self.nodes = nodes
    }

    /// - Returns: nil where Foundation has to decode it, also for all that is thrown: the error is
    ///   to be Foundation's.
    static func decode<Value: Decodable>(
        _ type: Value.Type, text: UnsafeBufferPointer<UInt8>,
        nodes: UnsafeMutableBufferPointer<PayloadNode>
    ) -> Value? {
        var document = PayloadDocument(text, nodes)
        defer { document.isOpen = false }
        // Reason for `try?`: what has gone wrong is found and told by Foundation.
        guard let value = try? document.value(at: 0, as: type), !document.isLeft else { return nil }
        // Somebody has kept a decoder, and may go on to read.
        return isKnownUniquelyReferenced(&document) ? value : nil
    }

    /// From here on the payload is Foundation's.
    func left() -> PayloadLeft {
        isLeft = true
        return PayloadLeft()
    }

    // MARK: Values

    func value<Value: Decodable>(at node: UInt32, as type: Value.Type) throws -> Value {
        if type == URL.self {
            guard let url = URL(string: try string(at: node)) as? Value else { throw left() }
            return url
        }
        // Foundation doesn't ask these how they decode themselves.
        if type == Data.self || type == Decimal.self { throw left() }
        let outer = current
        current = node
        defer { current = outer }
        return try type.init(from: PayloadNodeDecoder(document: self, node: node))
    }

    func isNull(at node: UInt32) throws -> Bool { try first(of: node) == UInt8(ascii: "n") }

    func bool(at node: UInt32) throws -> Bool {
        switch try first(of: node) {
        case UInt8(ascii: "t"): return true
        case UInt8(ascii: "f"): return false
        default: throw left()
        }
    }

    func string(at node: UInt32) throws -> String {
        guard try first(of: node) == UInt8(ascii: "\"") else { throw left() }
        let (start, end) = (Int(nodes[Int(node)].start) + 1, Int(nodes[Int(node)].end) - 1)
        if nodes[Int(node)].detail != 0 { return try unescaped(start, end) }
        return String(decoding: UnsafeBufferPointer(rebasing: text[start..<end]), as: UTF8.self)
    }

    private func unescaped(_ start: Int, _ end: Int) throws -> String {
        var string = ""
        string.reserveCapacity(end - start)
        var (place, plain) = (start, start)
        while place < end {
            guard text[place] == UInt8(ascii: "\\") else {
                place += 1
                continue
            }
            string += String(decoding: text[plain..<place], as: UTF8.self)
            guard let scalar = PayloadEscape.read(text, &place) else { throw left() }
            string.unicodeScalars.append(scalar)
            plain = place
        }
        return string + String(decoding: text[plain..<end], as: UTF8.self)
    }

    // MARK: Numbers

    func integer<Integer: FixedWidthInteger>(at node: UInt32) throws -> Integer {
        let (isNegative, magnitude) = try whole(at: node, digits: 19)
        if !isNegative, let value = Integer(exactly: magnitude) { return value }
        guard isNegative, Integer.isSigned, magnitude <= UInt64(Int64.max),
            let value = Integer(exactly: -Int64(magnitude))
        else { throw left() }
        return value
    }

    func double(at node: UInt32) throws -> Double {
        let token = try number(at: node)
        // Exact, and the way of nearly all of them.
        if nodes[Int(node)].detail == 0, token.count <= 15 {
            let (isNegative, magnitude) = try whole(at: node, digits: 15)
            return isNegative ? -Double(magnitude) : Double(magnitude)
        }
        return try floating(token)
    }

    func float(at node: UInt32) throws -> Float { try floating(try number(at: node)) }

    /// One that was too small or too large for the type is Foundation's.
    private func floating<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ token: Slice<UnsafeBufferPointer<UInt8>>
    ) throws -> Value {
        guard let value = Value(String(decoding: token, as: UTF8.self)),
            value.isNormal || value.isZero && token.allSatisfy({ "0.-".utf8.contains($0) })
        else { throw left() }
        return value
    }

    /// - Parameter digits: at most so many.
    private func whole(
        at node: UInt32, digits: Int
    ) throws -> (isNegative: Bool, magnitude: UInt64) {
        var token = try number(at: node)
        guard nodes[Int(node)].detail == 0 else { throw left() }
        let isNegative = token.first == UInt8(ascii: "-")
        if isNegative { token.removeFirst() }
        guard token.count <= digits else { throw left() }
        return (isNegative, token.reduce(0) { $0 * 10 + UInt64($1 & 0x0F) })
    }

    private func number(at node: UInt32) throws -> Slice<UnsafeBufferPointer<UInt8>> {
        let first = try first(of: node)
        guard first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") < 10 else { throw left() }
        return text[Int(nodes[Int(node)].start)..<Int(nodes[Int(node)].end)]
    }

    // MARK: What holds others

    /// - Returns: its first element and how many it has.
    func array(at node: UInt32) throws -> (first: UInt32, count: UInt32) {
        guard try first(of: node) == UInt8(ascii: "[") else { throw left() }
        return (node + 1, nodes[Int(node)].detail)
    }

    func checkObject(at node: UInt32) throws {
        guard try first(of: node) == UInt8(ascii: "{") else { throw left() }
    }

    /// - Returns: the node behind it and what it holds.
    func next(after node: UInt32) throws -> UInt32 {
        guard isOpen else { throw left() }
        return nodes[Int(node)].next
    }

    func checkIsCurrent(_ node: UInt32) throws { if node != current { throw left() } }

    func keys(of object: UInt32) throws -> [String] {
        try checkObject(at: object)
        var keys: [String] = []
        keys.reserveCapacity(Int(nodes[Int(object)].detail))
        var key = object + 1
        for _ in 0..<nodes[Int(object)].detail {
            keys.append(try string(at: key))
            key = nodes[Int(key) + 1].next
        }
        return keys
    }

    /// - Returns: the value of that key; nil where there is none.
    func find(_ name: String, in object: UInt32) throws -> UInt32? {
        try checkObject(at: object)
        var name = name
        let found = name.withUTF8 { find($0, in: object) }
        if let found { nodes[Int(object)].end = found }
        // One that is written otherwise than here may be the same to Foundation.
        if found == nil, !name.utf8.allSatisfy({ $0 < 0x80 }) { throw left() }
        return found.map { $0 + 1 }
    }

    /// Begins where the last look has ended: mostly one asks for one after the other.
    private func find(_ name: UnsafeBufferPointer<UInt8>, in object: UInt32) -> UInt32? {
        let (count, end) = (nodes[Int(object)].detail, nodes[Int(object)].next)
        var key = nodes[Int(object)].end
        for _ in 0..<count {
            let node = nodes[Int(key)]
            let bytes = text[Int(node.start) + 1..<Int(node.end) - 1]
            if bytes.count == name.count, bytes.elementsEqual(name) { return key }
            key = nodes[Int(key) + 1].next
            if key == end { key = object + 1 }
        }
        return nil
    }

    private func first(of node: UInt32) throws -> UInt8 {
        guard isOpen else { throw left() }
        return text[Int(nodes[Int(node)].start)]
    }
}
