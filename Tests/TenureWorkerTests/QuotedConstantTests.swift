import Tenure
import TenureCoordinator
import TenureFoundation
import TenureWorker
import Testing

/// Pages quote what the code decides. Each sentence is made here from the code's own constants, and
/// has to stand on its page.
@Suite struct QuotedConstantTests {
    @Test func `pages say what the code does`() throws {
        let worker = WorkerConfiguration()
        let rule = try LeaseRule(length: worker.lease)
        let lease = seconds(rule.length)
        let sweep = seconds(rule.beatInterval)
        let days = seconds(CoordinatorConfiguration().keepDiscarded) / 86_400
        try expect("README.md", "within lease + sweep (\(lease) s + \(sweep) s by default)")
        let docc = "Sources/Tenure/Tenure.docc"
        try expect(
            "\(docc)/Tenure.md", "within lease and sweep, \(lease) s and \(sweep) s by default")
        try expect("\(docc)/Articles/Tracing.md", "At most \(JobLimits.longestTrace) bytes")
        try expect(
            "docs/operate/tracing.md", "More than \(JobLimits.longestTrace) bytes are refused")
        let dayTwo = "docs/operate/day-two.md"
        try expect(dayTwo, "run again elsewhere, \(lease + sweep) s after its last beat")
        try expect(dayTwo, "They stay for \(spelled(days)) days.")
        try expect(
            "docs/payloads.md",
            "every \(seconds(worker.sweepInterval)) seconds after (`sweepInterval`)")
    }

    private func expect(_ page: String, _ sentence: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        #expect(words.contains(sentence), "\(page) lacks: \(sentence)")
    }

    private func seconds(_ duration: Duration) -> Int64 { duration.components.seconds }

    private func spelled(_ number: Int64) -> String {
        let words = ["no", "one", "two", "three", "four", "five", "six", "seven"]
        return words.indices.contains(Int(number)) ? words[Int(number)] : "\(number)"
    }
}
