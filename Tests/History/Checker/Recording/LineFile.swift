import Foundation

/// One file of a recording: its bytes, read line by line.
struct LineFile: Sendable {
    let name: String
    let data: Data
    /// Whether half a last line is what a kill leaves.
    let mayEndInHalfALine: Bool

    /// Calls `read` with a scanner for each line, its number from 1 and its offset.
    func forEachLine(
        in part: Part? = nil, _ read: (inout JSONScanner, Line) throws(JSONError) -> Void
    ) throws(UnusableRecording) {
        let part = part ?? Part(range: 0..<data.count, firstLine: 1)
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(UnusableRecording) in
                guard let base = bytes.baseAddress else { return }
                let start = base.assumingMemoryBound(to: UInt8.self)
                try walk(start, part, read)
            }
        }
        try result.get()
    }

    private func walk(
        _ start: UnsafePointer<UInt8>, _ part: Part,
        _ read: (inout JSONScanner, Line) throws(JSONError) -> Void
    ) throws(UnusableRecording) {
        let end = start + part.range.upperBound
        var at = start + part.range.lowerBound
        var number = part.firstLine
        while at < end {
            let found = memchr(at, Int32(ASCII.newline), end - at)
            let newline = found.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) }
            var scanner = JSONScanner(at, newline ?? end)
            do throws(JSONError) {
                try read(&scanner, Line(number: number, offset: at - start))
                guard scanner.peek() == 0 else { throw scanner.unexpected("the line's end") }
            } catch {
                if newline == nil, mayEndInHalfALine { return }
                throw UnusableRecording(name, line: number, error.what)
            }
            at = (newline ?? end) + 1
            number += 1
        }
    }

    /// Cuts the file into pieces that end with a line.
    func parts(_ count: Int) -> [Part] {
        data.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var parts: [Part] = []
            var from = 0
            var line = 1
            for number in 1...count {
                let wanted = max(from, bytes.count / count * number)
                var to = bytes.count
                if number < count, wanted < bytes.count,
                    let newline = memchr(base + wanted, 0x0A, bytes.count - wanted)
                {
                    to = UnsafeRawPointer(newline) - base + 1
                }
                if from < to { parts.append(Part(range: from..<to, firstLine: line)) }
                if number < count { line += newlines(base + from, to - from) }
                from = to
            }
            return parts
        }
    }

    private func newlines(_ start: UnsafeRawPointer, _ count: Int) -> Int {
        var lines = 0
        var at = start
        let end = start + count
        while at < end, let found = memchr(at, 0x0A, end - at) {
            lines += 1
            at = UnsafeRawPointer(found) + 1
        }
        return lines
    }

    /// A value that was read before, from where it stands.
    func value<Value>(
        at range: Range<Int>, _ read: (JSONSlice) throws -> Value
    ) rethrows -> Value {
        try data.withUnsafeBytes { bytes in
            let base = bytes.bindMemory(to: UInt8.self).baseAddress
            let nothing = JSONSlice(start: emptyText, count: 0, isEscaped: false)
            guard let base else { return try read(nothing) }
            return try read(
                JSONSlice(start: base + range.lowerBound, count: range.count, isEscaped: false))
        }
    }

    struct Part: Sendable {
        let range: Range<Int>
        let firstLine: Int
    }

    struct Line {
        let number: Int
        let offset: Int
    }
}

/// Somewhere to point to for no text at all.
nonisolated(unsafe) private let emptyText: UnsafePointer<UInt8> = {
    // Reason: allocated once, never written again.
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()
