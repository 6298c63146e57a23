/// A name of at most sixteen bytes, in lower case, packed into two words; of a longer name the
/// start. What is asked for by name is never longer.
struct NameKey: Hashable {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    var count = 0

    static let maxCount = 16

    init() {}

    init(_ name: String) {
        for byte in name.utf8 { append(byte) }
    }

    /// The name that lies in `range`, whatever its case.
    @inline(__always)
    init(_ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        self.init()
        guard start &+ 16 <= source.count, let base = source.baseAddress else {
            for index in start..<end { append(source[index].asciiLowercased) }
            return
        }
        count = end &- start
        let words = UnsafeRawPointer(base + start)
        head = NameKey.lowercased(words.loadUnaligned(as: UInt64.self).littleEndian)
        if count < 8 {
            head &= ~(.max &<< UInt64(count &* 8))
        } else if count > 8 {
            tail = NameKey.lowercased(
                words.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian)
            if count < 16 { tail &= ~(.max &<< UInt64((count &- 8) &* 8)) }
        }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        if count < 8 {
            head |= UInt64(byte) << UInt64(count &* 8)
        } else if count < 16 {
            tail |= UInt64(byte) << UInt64((count &- 8) &* 8)
        }
        count &+= 1
    }

    /// Eight bytes at once: the top bit of each byte tells whether it is between `A` and `Z`.
    @inline(__always)
    private static func lowercased(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (ones &* 0x7F)
        let isUpper = (low &+ ones &* (0x80 - 0x41)) ^ (low &+ ones &* (0x80 - 0x5B))
        return word | (isUpper & ~word & (ones &* 0x80)) &>> 2
    }
}

/// A table from names to the cases of an enum, with open addressing. Made once, never freed.
struct NameTable<Name: RawRepresentable & CaseIterable & Sendable>: @unchecked Sendable
where Name.RawValue == String {
    // Reason for `@unchecked`: the memory is written before anyone else has it, and never again.
    private let slots: UnsafeMutablePointer<Slot>

    private struct Slot {
        var key: NameKey
        var name: Name?
    }

    private static var bits: UInt64 { 9 }
    private static var mask: Int { 1 << Int(bits) - 1 }

    init() {
        slots = .allocate(capacity: NameTable.mask + 1)
        slots.initialize(repeating: Slot(key: NameKey(), name: nil), count: NameTable.mask + 1)
        for name in Name.allCases {
            let key = NameKey(name.rawValue)
            var index = NameTable.index(key)
            while slots[index].name != nil { index = (index + 1) & NameTable.mask }
            slots[index] = Slot(key: key, name: name)
        }
    }

    @inline(__always)
    func find(_ key: NameKey) -> Name? {
        var index = NameTable.index(key)
        while let name = slots[index].name {
            if slots[index].key == key { return name }
            index = (index &+ 1) & NameTable.mask
        }
        return nil
    }

    @inline(__always)
    private static func index(_ key: NameKey) -> Int {
        let mixed = (key.head ^ key.tail) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> (64 - bits))
    }
}

enum HTMLNames {
    static let elements = NameTable<HTMLElement>()
    static let attributes = NameTable<HTMLAttributeName>()
}
