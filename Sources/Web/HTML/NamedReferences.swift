/// The named character references, read once from the generated table.
struct NamedReferences: Sendable {
    struct Entry {
        var name: Range<Int32>
        var first: UInt32
        /// The second character, which 93 of them have; else 0.
        var second: UInt32
        /// Whether it also counts without its semicolon.
        var isLegacy: Bool
    }

    static let shared = NamedReferences()

    private let entries: [Entry]
    /// Where the names begin that start with a byte: 0...127 and the end.
    private let starts: [Int]

    private init() {
        let bytes = UnsafeBufferPointer(
            start: NamedReferences.table.utf8Start, count: NamedReferences.table.utf8CodeUnitCount)
        var entries: [Entry] = []
        entries.reserveCapacity(2200)
        var index = 0
        while index < bytes.count {
            let start = index
            while bytes[index].isASCIIAlphanumeric { index += 1 }
            var entry = Entry(
                name: Int32(start)..<Int32(index), first: 0, second: 0,
                isLegacy: bytes[index] == UInt8(ascii: "!"))
            index += 1
            entry.first = NamedReferences.takeHex(bytes, &index)
            if index < bytes.count, bytes[index] == UInt8(ascii: ",") {
                index += 1
                entry.second = NamedReferences.takeHex(bytes, &index)
            }
            entries.append(entry)
            index += 1
        }
        self.entries = entries
        starts = (0...128).map { byte in
            entries.firstIndex { bytes[Int($0.name.lowerBound)] >= byte } ?? entries.count
        }
    }

    private static func takeHex(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
        var value: UInt32 = 0
        while index < bytes.count, let digit = bytes[index].hexValue {
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    /// The longest reference that `source` has at `start`, and the place after it.
    func longestMatch(
        _ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
    ) -> (entry: Entry, end: Int, hasSemicolon: Bool)? {
        guard start < end, source[start] < 0x80 else { return nil }
        let names = NamedReferences.table.utf8Start
        var range = starts[Int(source[start])]..<starts[Int(source[start]) + 1]
        var best: (Entry, Int, Bool)?
        var depth = 0
        while !range.isEmpty {
            let entry = entries[range.lowerBound]
            let next = start + depth < end ? source[start + depth] : 0
            if entry.name.count == depth {
                if next == UInt8(ascii: ";") { return (entry, start + depth + 1, true) }
                if entry.isLegacy { best = (entry, start + depth, false) }
            }
            guard next.isASCIIAlphanumeric else { break }
            let offset = Int32(depth)
            func key(_ index: Int) -> UInt8 {
                let name = entries[index].name
                return name.count > depth ? names[Int(name.lowerBound + offset)] : 0
            }
            range = partition(range) { key($0) >= next }..<partition(range) { key($0) > next }
            depth += 1
        }
        return best
    }

    /// The first index in `range` for which `isPast` holds, by halving.
    private func partition(_ range: Range<Int>, _ isPast: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isPast(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
