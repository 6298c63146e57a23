import Foundation

/// A job's id: a UUID in lower case, as two numbers.
package struct JobID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    package init?(_ text: String) {
        var copy = text
        let id = copy.withUTF8 { buffer in
            buffer.baseAddress.flatMap {
                JobID(JSONSlice(start: $0, count: buffer.count, isEscaped: false))
            }
        }
        guard let id else { return nil }
        self = id
    }

    init?(_ slice: JSONSlice) {
        guard slice.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<36 {
            let byte = slice.start[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == ASCII.minus else { return nil }
                continue
            }
            let digit: UInt8
            if byte >= ASCII.zero, byte <= ASCII.nine {
                digit = byte &- ASCII.zero
            } else if byte >= 0x61, byte <= ASCII.f {
                digit = byte &- 0x57
            } else {
                return nil
            }
            if index < 18 {
                high = high &<< 4 | UInt64(digit)
            } else {
                low = low &<< 4 | UInt64(digit)
            }
        }
        self.high = high
        self.low = low
    }

    package var description: String {
        let digits = Array(Self.hexadecimal(high) + Self.hexadecimal(low))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
