import Foundation

/// One value of a line. Texts and containers point into the line and live no longer than it.
enum JSONValue {
    case absent
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(JSONSlice)
    case container(JSONSlice)
}

struct JSONSlice {
    let start: UnsafePointer<UInt8>
    let count: Int
    let isEscaped: Bool

    /// The text itself; one with escapes that can't be read stays as it was written.
    var string: String {
        if isEscaped {
            let quoted = Data([ASCII.quote]) + Data(bytes: start, count: count)
            // Reason for `try?`: evidence that is spelt badly is shown as it is.
            let decoded = try? JSONDecoder().decode(
                String.self, from: quoted + Data([ASCII.quote]))
            if let decoded { return decoded }
        }
        return String(unsafeUninitializedCapacity: count) { buffer in
            if count > 0, let target = buffer.baseAddress { memcpy(target, start, count) }
            return count
        }
    }

    func equals(_ word: StaticString) -> Bool {
        count == word.utf8CodeUnitCount && memcmp(start, word.utf8Start, count) == 0
    }

    var scanner: JSONScanner { JSONScanner(start, start + count) }
}

/// What is wrong with a line; who reads the file adds where.
struct JSONError: Error, Equatable {
    let what: String

    init(_ what: String) { self.what = what }
}
