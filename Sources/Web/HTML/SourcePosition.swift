import TenureSystem

/// A place in a document.
public struct SourcePosition: Hashable, Sendable, Codable {
    /// In bytes of its UTF-8 form, from 0.
    public var offset: Int
    /// From 1; lines end with LF, CR or CR LF.
    public var line: Int
    /// From 1, in Unicode scalars.
    public var column: Int

    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }
}

/// Turns offsets into positions. Linear in all as long as the offsets ascend, or go back no
/// further than the last mark.
struct SourceLocator {
    private var current = SourcePosition(offset: 0, line: 1, column: 1)
    private var mark = SourcePosition(offset: 0, line: 1, column: 1)
    private let source: UnsafeBufferPointer<UInt8>
    private let hasReturns: Bool

    init(_ source: UnsafeBufferPointer<UInt8>) {
        self.source = source
        hasReturns = source.find(0x0D, from: 0, to: source.count) != nil
    }

    mutating func markedPosition(at offset: Int) -> SourcePosition {
        mark = position(at: offset)
        return mark
    }

    mutating func position(at offset: Int) -> SourcePosition {
        if offset < current.offset {
            current =
                mark.offset <= offset ? mark : SourcePosition(offset: 0, line: 1, column: 1)
        }
        if hasReturns { advanceOverReturns(to: offset) } else { advance(to: offset) }
        return current
    }

    private mutating func advance(to offset: Int) {
        var start = current.offset
        while let newline = source.find(0x0A, from: start, to: offset) {
            current.line += 1
            current.column = 1
            start = newline + 1
        }
        current.column += source.scalarCount(start, offset)
        current.offset = offset
    }

    private mutating func advanceOverReturns(to offset: Int) {
        for index in current.offset..<max(offset, current.offset) {
            let byte = source[index]
            let isCRLF = byte == 0x0D && index + 1 < source.count && source[index + 1] == 0x0A
            if byte == 0x0A || byte == 0x0D && !isCRLF {
                current.line += 1
                current.column = 1
            } else if byte & 0xC0 != 0x80 {
                current.column += 1
            }
        }
        current.offset = offset
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    func find(_ byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard start < end, let base = baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), end &- start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// How many bytes of the range begin a character.
    func scalarCount(_ start: Int, _ end: Int) -> Int {
        var count = 0
        var index = start
        while index < end {
            count &+= self[index] & 0xC0 != 0x80 ? 1 : 0
            index &+= 1
        }
        return count
    }

    @inline(__always)
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[range])
    }
}
