import HTTPTransport
import Tenure
import TenureFoundation
import Testing
import Web

@testable import Content

/// Payloads and options that a seed makes of good ones: bytes changed, cut, repeated, and numbers
/// put where others were. `TENURE_FUZZ_SECONDS` says for how long.
///
/// libFuzzer's targets are compiled as one module with `Web`, which `Content` can't be: it stands
/// on libcurl and on the queue. So its decoders are fuzzed here.
@Suite struct PayloadFuzzTests {
    @Test func `whatever the bytes, a payload decodes or says why it doesn't`() throws {
        let text = ProcessInfo.processInfo.environment["TENURE_FUZZ_SECONDS"]
        let end = ContinuousClock.now + .seconds(text.flatMap { Int($0) } ?? 1)
        let seed = UInt64.random(in: 0 ... .max)
        var random = Seeded(seed)
        let encoder = JSONEncoder()
        let samples =
            try [
                Array(encoder.encode(ExtremeTests.fetch)),
                Array(encoder.encode(ExtremeTests.options)),
            ] + ExtremeTests.checks.map { Array(try encoder.encode($0)) }
        var rounds = 0
        while ContinuousClock.now < end {
            for _ in 0..<100 {
                for sample in samples { take(changed(sample, &random)) }
                rounds += 1
            }
        }
        print("payloads: \(rounds) rounds of three, seed \(seed)")
    }

    private func take(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for kind in [ContentFetch.kind, DependencyCheck.kind] {
            // Reason for `try?`: most of it is refused, in one line.
            _ = try? ContentJobs.types.job(kind: kind, payload: text)
            // Reason for `try?`: most of it is refused, in one line.
            _ = try? ContentJobs.check(kind, payload: text)
        }
        // Reason for `try?`: as above.
        if let fetch = try? JSONDecoder().decode(ContentFetch.self, from: Data(bytes)) {
            // Reason for `try?`: a queue or key that breaks a limit is refused.
            _ = try? ExtremeTests.work(on: fetch)
        }
        // Reason for `try?`: as above.
        if let options = try? SiteCheckOptions.decode(bytes) {
            let check = StartedCheck(
                id: UUID(), start: ExtremeTests.url, folder: nil, options: options,
                startedAt: Date(), finishedAt: nil, cancelledAt: nil)
            _ = (check.limits(.init()), check.pause(afterFailures: .max))
        }
        if let url = WebURL(text) { _ = (Scope(start: url), JobKey.make("x", text)) }
    }

    private func changed(_ sample: [UInt8], _ random: inout Seeded) -> [UInt8] {
        var bytes = sample
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where place < bytes.count: bytes[place] = .random(in: 0 ... .max, using: &random)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 3))
            case 2: bytes.insert(contentsOf: bytes.suffix(from: min(place, bytes.count)), at: place)
            default:
                // A number, in the place of the next one.
                let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
                guard let start = bytes[min(place, bytes.count)...].firstIndex(where: isDigit)
                else {
                    continue
                }
                let stop = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
                let number = Extremes.numbers.randomElement(using: &random) ?? "0"
                bytes.replaceSubrange(start..<stop, with: number.utf8)
            }
            if bytes.count > 16_384 { bytes.removeLast(bytes.count - 16_384) }
        }
        return bytes
    }
}
