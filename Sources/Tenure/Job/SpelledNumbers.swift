import TenureFoundation

/// Keeps a JSON text's numbers as they are spelled on their way through a decoder and an encoder.
///
/// These know `Int64` and `Double` only: of what is longer, digits would be lost, and a secret that
/// somebody repeats digit by digit would not be found. So such a number goes the way as a text that
/// begins with a mark.
struct SpelledNumbers {
    /// Nobody who wrote the JSON can have guessed it.
    private let mark = "\(UUID()) "

    /// The JSON with a marked text in the place of each number that would not stay as it is. What
    /// is no number is left for the decoder to refuse.
    func marked(in json: String) -> String {
        let bytes = Array(json.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let end = Self.end(ofTokenAt: place, in: bytes)
            let token = bytes[place..<end]
            let number = Self.beginsNumber(bytes[place]) ? Self.rounded(token) : nil
            if let number { result += "\"\(mark)\(number)\"".utf8 } else { result += token }
            place = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The number that a marked text stands for; nil for all other texts.
    func spelling(in text: String) -> String? {
        text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : nil
    }

    /// The JSON with its numbers in the place of the marked texts. One that is beyond `Double`
    /// altogether stays a text: those who read the JSON could not.
    func shown(in json: String) -> String {
        let parts = json.split(separator: "\"\(mark)", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { shown, part in
            let number = part.prefix { $0 != "\"" }
            guard Double(number)?.isFinite == true else { return "\(shown)\"\(part)" }
            return shown + number + part.dropFirst(number.count + 1)
        }
    }

    /// The ways in which a program that read the number may say it.
    static func prints(of spelling: String) -> Set<String> {
        var prints: Set<String> = [spelling]
        if let double = Double(spelling) { prints.insert("\(double)") }
        if let decimal = Decimal(string: spelling) { prints.insert("\(decimal)") }
        return prints
    }

    /// The spelling of a number that `Int64` and `Double` would change.
    private static func rounded(_ token: ArraySlice<UInt8>) -> String? {
        let spelling = String(decoding: token, as: UTF8.self)
        guard Int64(spelling) == nil, let double = Double(spelling) else { return nil }
        return "\(double)" == spelling ? nil : spelling
    }

    // MARK: Tokens: texts, numbers, and bytes that are neither

    private static func end(ofTokenAt start: Int, in bytes: [UInt8]) -> Int {
        if beginsNumber(bytes[start]) {
            return bytes[start...].firstIndex { !isInNumber($0) } ?? bytes.endIndex
        }
        guard bytes[start] == UInt8(ascii: "\"") else { return start + 1 }
        var place = start + 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(place + 1, bytes.count)
    }

    private static func beginsNumber(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || isDigit(byte)
    }

    private static func isInNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || "+-.eE".utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
