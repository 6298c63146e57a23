import Testing

@testable import Web

@Suite struct CharsetCorpusTests {
    /// Where nothing in a document names an encoding, the suite wants windows-1252.
    @Test func `the prescan finds what the public suite says`() {
        var tally = Tally("encoding")
        for file in Corpora.files("encoding", suffix: ".dat") {
            guard let bytes = Corpora.data(file) else { continue }
            for (data, label) in Self.cases(bytes) {
                let decoded = DecodedText(data)
                let isNamed = decoded.evidence == .byteOrderMark || decoded.evidence == .meta
                let found = isNamed ? decoded.charset : .windows1252
                let text = String(decoding: data, as: UTF8.self).suffix(200)
                tally.check(
                    found == Charset(label: label),
                    "\(file): \(found), should be \(label): \(text)")
            }
        }
        tally.finish()
    }

    private static func cases(_ bytes: [UInt8]) -> [([UInt8], String)] {
        var cases: [([UInt8], String)] = []
        var data: [UInt8] = []
        var section = ""
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.first == UInt8(ascii: "#") {
                section = String(decoding: line, as: UTF8.self)
                if section == "#data" { data = [] }
            } else if section == "#data" {
                data += line + [0x0A]
            } else if section == "#encoding" {
                cases.append((data.dropLast(), String(decoding: line, as: UTF8.self)))
                section = ""
            }
        }
        return cases
    }
}
