import Testing
import Web

@Suite struct JSONCorpusTests {
    @Test func `what must parse does, and what must not doesn't`() {
        var tally = Tally("json")
        for file in Corpora.files("json", suffix: ".json") {
            guard let bytes = Corpora.data(file) else { continue }
            // Reason for `try?`: whether it can be read is what the suite is about.
            let value = try? JSONValue(parsing: bytes)
            switch file.split(separator: "/").last?.prefix(2) {
            case "y_": tally.check(value != nil, "\(file): refused")
            case "n_": tally.check(value == nil, "\(file): read as \(value!)")
            default: tally.check(true, "either is right")
            }
        }
        tally.finish()
    }
}
