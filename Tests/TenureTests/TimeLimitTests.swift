import TenureFoundation
import Testing

@testable import Tenure

/// Times that no clock or calendar can bear are refused before they stand in a table.
@Suite struct TimeLimitTests {
    private static let absurd: [Duration] = [
        .seconds(Int64.max), .seconds(-Int64.max), .seconds(365_001 * 86_400),
    ]

    private func isRefused(
        _ mode: KeyMode? = nil, _ change: (inout EnqueueOptions) -> Void = { _ in }
    ) -> Bool {
        var options = EnqueueOptions()
        change(&options)
        do {
            _ = try NewJob(kind: "k", payload: "{}", mode, options: options)
            return false
        } catch {
            return (error as? TenureError)?.code == .invalidJob
        }
    }

    // Numbers, because the tests describe their arguments, and a date that is none ends them.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, 253_402_300_800, -1e12])
    func `Dates outside the years 1 to 9999 are refused`(_ seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(isRefused { $0.runTime = .at(date) })
        #expect(isRefused { $0.notAfter = .at(date) })
    }

    @Test(arguments: absurd)
    func `Pauses of more than a thousand years are refused`(_ pause: Duration) {
        #expect(isRefused { $0.runTime = .after(pause) })
        #expect(isRefused { $0.notAfter = .after(pause) })
        #expect(isRefused(.debounced("a", interval: pause)))
        #expect(isRefused(.debounced("a", interval: .zero, maxWait: pause)))
        #expect(isRefused { $0.lane = Lane("a", minInterval: pause) })
    }

    @Test func `What is far, and can be reckoned with, is taken`() {
        #expect(isRefused { $0.lane = Lane("a", minInterval: .seconds(366 * 86_400)) })
        #expect(!isRefused { $0.lane = Lane("a", minInterval: .seconds(365 * 86_400)) })
        for date in [Date.distantPast, .distantFuture] {
            #expect(!isRefused { $0.runTime = .at(date) })
        }
        #expect(!isRefused { $0.runTime = .after(.seconds(-60)) })
    }
}
