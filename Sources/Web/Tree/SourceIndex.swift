/// Positions in any order, each in constant time: the place of every thousandth byte is kept.
struct SourceIndex: Sendable {
    private static let step = 1024
    private let marks: [SourcePosition]

    init(_ source: UnsafeBufferPointer<UInt8>) {
        var locator = SourceLocator(source)
        marks = stride(from: 0, through: source.count, by: SourceIndex.step).map {
            locator.position(at: $0)
        }
    }

    func position(at offset: Int, in source: [UInt8]) -> SourcePosition {
        var place = marks[offset / SourceIndex.step]
        for index in place.offset..<offset {
            let byte = source[index]
            let isCRLF = byte == 0x0D && index + 1 < source.count && source[index + 1] == 0x0A
            if byte == 0x0A || byte == 0x0D && !isCRLF {
                place.line += 1
                place.column = 1
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
        place.offset = offset
        return place
    }
}
