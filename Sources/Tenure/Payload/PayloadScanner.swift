/// Reads a JSON text into nodes. Stricter than Foundation, which then has its say: what this one
/// takes, that one takes too, and for the same.
struct PayloadScanner {
    /// Places and nodes are counted in 32 bits, and a node takes more room than its text.
    static let longest = 1 << 26
    /// Foundation goes down to 512; each level takes some of the thread's stack.
    private static let deepest = 128
    /// Keys that aren't in the order of jsonb are compared each with each, up to so many.
    private static let mostUnordered: UInt32 = 16

    let text: UnsafeBufferPointer<UInt8>
    let nodes: UnsafeMutableBufferPointer<PayloadNode>
    private var place = 0
    private var count = 0

    init(text: UnsafeBufferPointer<UInt8>, nodes: UnsafeMutableBufferPointer<PayloadNode>) {
        self.text = text
        self.nodes = nodes
    }

    /// Between two nodes there is at least a byte.
    static func mostNodes(in bytes: Int) -> Int { bytes / 2 + 1 }

    /// - Returns: false for what isn't JSON, and for what Foundation may see otherwise.
    mutating func scan() -> Bool {
        guard scanValue(depth: 0) else { return false }
        skipSpace()
        return place == text.count
    }

    /// 0 behind the end: no JSON has it anywhere.
    private var byte: UInt8 { place < text.count ? text[place] : 0 }

    private mutating func skipSpace() {
        while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        place += 1
        return true
    }

    /// - Returns: its place among the nodes; nil where no JSON has as many.
    private mutating func begin() -> Int? {
        guard count < nodes.count else { return nil }
        nodes.initializeElement(
            at: count, to: PayloadNode(start: UInt32(place), end: 0, next: 0, detail: 0))
        count += 1
        return count - 1
    }

    private mutating func end(_ node: Int, detail: UInt32 = 0) {
        nodes[node].end = UInt32(place)
        nodes[node].next = UInt32(count)
        nodes[node].detail = detail
    }

    private mutating func scanValue(depth: Int) -> Bool {
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): return scanText() != nil
        case UInt8(ascii: "{"): return depth < Self.deepest && scanObject(depth: depth)
        case UInt8(ascii: "["): return depth < Self.deepest && scanArray(depth: depth)
        case UInt8(ascii: "t"): return scanWord("true")
        case UInt8(ascii: "f"): return scanWord("false")
        case UInt8(ascii: "n"): return scanWord("null")
        default: return scanNumber()
        }
    }

    private mutating func scanWord(_ word: StaticString) -> Bool {
        let isThere = word.withUTF8Buffer { text[place...].starts(with: $0) }
        guard isThere, let node = begin() else { return false }
        place += word.utf8CodeUnitCount
        end(node)
        return true
    }
}

// MARK: - What holds others

extension PayloadScanner {
    private mutating func scanArray(depth: Int) -> Bool {
        guard let node = begin() else { return false }
        place += 1
        skipSpace()
        var elements: UInt32 = 0
        if byte != UInt8(ascii: "]") {
            repeat {
                guard scanValue(depth: depth + 1) else { return false }
                elements += 1
                skipSpace()
            } while take(UInt8(ascii: ","))
        }
        guard take(UInt8(ascii: "]")) else { return false }
        end(node, detail: elements)
        return true
    }

    private mutating func scanObject(depth: Int) -> Bool {
        guard let node = begin() else { return false }
        place += 1
        skipSpace()
        var (fields, isOrdered) = (UInt32(0), true)
        var last: Int?
        if byte != UInt8(ascii: "}") {
            repeat {
                skipSpace()
                guard let key = scanKey() else { return false }
                if let last, isOrdered { isOrdered = comesBefore(last, key) }
                last = key
                skipSpace()
                guard take(UInt8(ascii: ":")), scanValue(depth: depth + 1) else { return false }
                fields += 1
                skipSpace()
            } while take(UInt8(ascii: ","))
        }
        guard take(UInt8(ascii: "}")) else { return false }
        end(node, detail: fields)
        nodes[node].end = UInt32(node + 1)
        return isOrdered || fields <= Self.mostUnordered && !repeatsKey(node)
    }

    /// One that is nothing but ASCII: others may be the same in several spellings.
    private mutating func scanKey() -> Int? {
        guard byte == UInt8(ascii: "\""), let key = scanText(), nodes[key].detail == 0 else {
            return nil
        }
        return bytes(key).allSatisfy { $0 < 0x80 } ? key : nil
    }

    /// Of a text without its quotes.
    private func bytes(_ node: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
        text[Int(nodes[node].start) + 1..<Int(nodes[node].end) - 1]
    }

    /// In the order of jsonb: what follows that has no key twice.
    private func comesBefore(_ key: Int, _ other: Int) -> Bool {
        let (key, other) = (bytes(key), bytes(other))
        return key.count == other.count
            ? key.lexicographicallyPrecedes(other) : key.count < other.count
    }

    private func repeatsKey(_ object: Int) -> Bool {
        let end = nodes[object].next
        var key = object + 1
        while key < end {
            var other = Int(nodes[key + 1].next)
            while other < end {
                if bytes(key).elementsEqual(bytes(other)) { return true }
                other = Int(nodes[other + 1].next)
            }
            key = Int(nodes[key + 1].next)
        }
        return false
    }
}

// MARK: - Texts and numbers

extension PayloadScanner {
    private mutating func scanText() -> Int? {
        guard let node = begin() else { return nil }
        place += 1
        var hasEscapes = false
        while byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                guard PayloadEscape.read(text, &place) != nil else { return nil }
                hasEscapes = true
            } else {
                guard byte >= 0x20 else { return nil }
                place += 1
            }
        }
        place += 1
        end(node, detail: hasEscapes ? 1 : 0)
        return node
    }

    private mutating func scanNumber() -> Bool {
        guard let node = begin() else { return false }
        _ = take(UInt8(ascii: "-"))
        let isZero = byte == UInt8(ascii: "0")
        let digits = skipDigits()
        guard digits == 1 || digits > 1 && !isZero else { return false }
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            guard skipDigits() > 0 else { return false }
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            place += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { place += 1 }
            guard skipDigits() > 0 else { return false }
        }
        end(node, detail: isWhole ? 0 : 1)
        return true
    }

    /// - Returns: how many there were.
    private mutating func skipDigits() -> Int {
        let start = place
        while byte &- UInt8(ascii: "0") < 10 { place += 1 }
        return place - start
    }
}
