/// A guess at an encoding that nothing names. Short on purpose: what a page doesn't say is, on
/// today's web, UTF-8 or windows-1252 nearly always, and this only adds what is easy to tell.
enum CharsetGuess {
    static func guess(_ body: [UInt8]) -> Charset {
        let sample = body.prefix(1 << 16)
        if let wide = utf16(sample) { return wide }
        if sample.contains(0x1B), isISO2022JP(sample) { return .iso2022JP }
        if UTF8Bytes.isValid(body) { return .utf8 }
        return eastAsian(sample) ?? (isCyrillic(sample) ? .windows1251 : .windows1252)
    }

    /// Text in UTF-16 that is mostly ASCII has a zero in nearly every second byte.
    private static func utf16(_ sample: ArraySlice<UInt8>) -> Charset? {
        guard sample.count >= 16 else { return nil }
        var zeros = [0, 0]
        for (index, byte) in sample.enumerated() where byte == 0 { zeros[index & 1] += 1 }
        let half = sample.count / 2
        if zeros[1] > half * 3 / 4, zeros[0] < half / 20 { return .utf16LE }
        if zeros[0] > half * 3 / 4, zeros[1] < half / 20 { return .utf16BE }
        return nil
    }

    private static func isISO2022JP(_ sample: ArraySlice<UInt8>) -> Bool {
        for index in sample.indices.dropLast(2) where sample[index] == 0x1B {
            if sample[index + 1] == UInt8(ascii: "$"), "@B".utf8.contains(sample[index + 2]) {
                return true
            }
        }
        return false
    }

    /// Pairs of bytes that are common in one encoding: kana, Hangul, Chinese punctuation.
    private static func eastAsian(_ sample: ArraySlice<UInt8>) -> Charset? {
        let bytes = Array(sample)
        var (high, sjis, eucKana, hangul, gb) = (0, 0, 0, 0, 0)
        var index = 0
        while index + 1 < bytes.count {
            let (first, second) = (bytes[index], bytes[index + 1])
            guard first >= 0x80 else {
                index += 1
                continue
            }
            high += 1
            switch (first, second) {
            case (0x82, 0x9F...0xF1), (0x83, 0x40...0x96): sjis += 1
            case (0xA4, 0xA1...0xF3), (0xA5, 0xA1...0xF6): eucKana += 1
            case (0xB0...0xC8, 0xA1...0xFE): hangul += 1
            case (0xA1, 0xA2...0xA3), (0xA3, 0xAC), (0xC9...0xF7, 0xA1...0xFE): gb += 1
            default: break
            }
            index += 2
        }
        guard high >= 8 else { return nil }
        if sjis * 4 > high { return .shiftJIS }
        if eucKana * 4 > high { return .eucJP }
        if hangul * 10 > high * 8 { return .eucKR }
        return (gb + hangul) * 10 > high * 9 ? .gb18030 : nil
    }

    /// In Russian text in windows-1251 most letters are above 0xC0; in western text, few.
    private static func isCyrillic(_ sample: ArraySlice<UInt8>) -> Bool {
        var (letters, run, long) = (0, 0, 0)
        for byte in sample {
            if byte >= 0xC0 || byte == 0xA8 || byte == 0xB8 {
                letters += 1
                run += 1
                if run == 3 { long += 3 } else if run > 3 { long += 1 }
            } else {
                run = 0
            }
        }
        return letters >= 8 && long * 2 > letters
    }
}
