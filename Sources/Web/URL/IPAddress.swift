/// Addresses as a URL may spell them: IPv4 with hex, octal and missing parts, IPv6 with `::`
/// and a dotted tail (URL standard, sections 3.5 and 3.6).
enum IPAddress {
    // MARK: IPv4

    static func endsInNumber(_ host: [UInt8]) -> Bool {
        guard let last = parts(host).last else { return false }
        return !last.isEmpty && last.allSatisfy(\.isASCIIDigit) || number(last) != nil
    }

    static func parseIPv4(_ host: [UInt8]) -> UInt32? {
        let parts = parts(host)
        guard parts.count <= 4 else { return nil }
        var numbers: [UInt64] = []
        for part in parts {
            guard let number = number(part) else { return nil }
            numbers.append(number)
        }
        guard let last = numbers.popLast(), numbers.allSatisfy({ $0 <= 255 }) else { return nil }
        guard last < 1 << UInt64(8 * (4 - numbers.count)) else { return nil }
        var address = last
        for (index, number) in numbers.enumerated() {
            address += number << UInt64(8 * (3 - index))
        }
        return UInt32(address)
    }

    static func serializeIPv4(_ address: UInt32) -> [UInt8] {
        let parts = [24, 16, 8, 0].map { String(address >> UInt32($0) & 255) }
        return Array(parts.joined(separator: ".").utf8)
    }

    private static func parts(_ host: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count > 1, parts.last!.isEmpty { parts.removeLast() }
        return parts
    }

    /// Decimal, octal after `0`, hex after `0x`; capped where no address can be that large.
    private static func number(_ part: ArraySlice<UInt8>) -> UInt64? {
        if part.isEmpty { return nil }
        var digits = part
        var radix: UInt64 = 10
        if part.startsIgnoringCase("0x") {
            digits = part.dropFirst(2)
            radix = 16
        } else if part.count > 1, part.first == UInt8(ascii: "0") {
            digits = part.dropFirst()
            radix = 8
        }
        var value: UInt64 = 0
        for digit in digits {
            guard let digit = digit.hexValue, UInt64(digit) < radix else { return nil }
            value = min(value * radix + UInt64(digit), 1 << 32)
        }
        return value
    }

    // MARK: IPv6

    static func parseIPv6(_ input: ArraySlice<UInt8>) -> [UInt16]? {
        var pieces: [UInt16] = []
        var gap: Int?
        var rest = input
        if rest.starts(with: "::".utf8) {
            gap = 0
            rest = rest.dropFirst(2)
        } else if rest.first == UInt8(ascii: ":") {
            return nil
        }
        while !rest.isEmpty {
            if pieces.count == 8 { return nil }
            if rest.first == UInt8(ascii: ":") {
                if gap != nil { return nil }
                gap = pieces.count
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix(4).prefix { $0.isASCIIHexDigit }
            let after = rest[digits.endIndex...]
            if after.first == UInt8(ascii: ".") {
                guard pieces.count <= 6, let tail = dottedTail(rest) else { return nil }
                pieces += [UInt16(tail >> 16), UInt16(truncatingIfNeeded: tail)]
                break
            }
            guard let piece = UInt16(hex: digits) else { return nil }
            pieces.append(piece)
            if after.isEmpty { break }
            guard after.first == UInt8(ascii: ":"), after.count > 1 else { return nil }
            rest = after.dropFirst()
        }
        guard let gap else { return pieces.count == 8 ? pieces : nil }
        guard pieces.count < 8 else { return nil }
        pieces.insert(contentsOf: repeatElement(0, count: 8 - pieces.count), at: gap)
        return pieces
    }

    /// Four decimal numbers without leading zeros.
    private static func dottedTail(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(\.isASCIIDigit) else { return nil }
            if part.count > 1, part.first == UInt8(ascii: "0") { return nil }
            let value = part.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - 0x30) }
            guard value <= 255 else { return nil }
            address = address << 8 | value
        }
        return address
    }

    static func serializeIPv6(_ pieces: [UInt16]) -> [UInt8] {
        let gap = longestZeroRun(pieces)
        var text = "["
        var index = 0
        while index < 8 {
            if let gap, index == gap.lowerBound {
                text += index == 0 ? "::" : ":"
                index = gap.upperBound
                continue
            }
            text += String(pieces[index], radix: 16)
            if index < 7 { text += ":" }
            index += 1
        }
        return Array((text + "]").utf8)
    }

    /// The first longest run of at least two zero pieces.
    private static func longestZeroRun(_ pieces: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var index = 0
        while index < 8 {
            let end = pieces[index...].firstIndex { $0 != 0 } ?? 8
            if end - index >= 2, end - index > best?.count ?? 0 { best = index..<end }
            index = max(end, index + 1)
        }
        return best
    }
}

extension UInt16 {
    fileprivate init?(hex digits: ArraySlice<UInt8>) {
        guard !digits.isEmpty else { return nil }
        self = digits.reduce(0) { $0 << 4 | UInt16($1.hexValue ?? 0) }
    }
}
