import ArgumentParser
import TenureCLI

/// How much is measured.
enum BenchScale: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Minutes in total.
    case small
    /// The figures' own sizes: hours on a small machine.
    case full
    /// Only whether it works; its figures mean nothing.
    case tiny

    private func pick<Value>(_ tiny: Value, _ small: Value, _ full: Value) -> Value {
        switch self {
        case .tiny: tiny
        case .small: small
        case .full: full
        }
    }

    var drainJobs: Int { pick(1000, 60_000, 200_000) }
    var enqueueJobs: Int { pick(2000, 50_000, 200_000) }
    /// Transactions of each of the eight producers.
    var singleEnqueues: Int { pick(20, 500, 2500) }
    var supersedes: Int { pick(200, 4000, 100_000) }
    var latencySamples: Int { pick(5, 300, 1000) }
    var latencyPause: ClosedRange<Int> { pick(5...10, 20...60, 20...60) }
    /// Jobs of a stretch, and stretches, of the long run under an open snapshot.
    var decayChunk: Int { pick(500, 10_000, 50_000) }
    var decayChunks: Int { pick(3, 10, 20) }
    /// How often the manual is read for one figure; its pages are fetched more than once so that
    /// memory can be seen to grow.
    var passes: Int { pick(2, 4, 40) }
    var idleJobs: Int { pick(1000, 10_000, 10_000) }
    var idleTime: Duration { pick(.seconds(1), .seconds(30), .seconds(120)) }
    var idleRest: Duration { pick(.milliseconds(100), .seconds(12), .seconds(30)) }
    /// Jobs that one waits for, or that wait for one.
    var fanJobs: Int { pick(100, 4000, 10_000) }
    /// Jobs in a row, each of which waits for the one before it.
    var chainJobs: Int { pick(20, 300, 1000) }
    var waitWorkers: Int { pick(2, 8, 8) }
    /// Jobs that wait for a signal or a time.
    var signalJobs: Int { pick(100, 5000, 100_000) }
}

/// The points of the sweeps.
extension BenchScale {
    /// Of a drain at one point. The yardstick's share of it comes out even for each of them.
    var sweepJobs: Int { pick(640, 32_000, 192_000) }
    /// Transactions of a point, by all producers.
    var sweepEnqueues: Int { pick(64, 1600, 32_000) }
    var processes: [Int] { pick([1, 2], [1, 2, 4, 8, 16], [1, 2, 4, 8, 16]) }
    var producers: [Int] { pick([1, 2], [1, 2, 4, 8, 16], [1, 2, 4, 8, 16]) }
    var waiting: [Int] {
        pick(
            [1000, 2000], [10_000, 100_000, 1_000_000], [10_000, 100_000, 1_000_000, 10_000_000])
    }
    var claims: Int { pick(10, 200, 200) }
    var queues: [Int] { pick([1, 10], [1, 10, 100, 1000], [1, 10, 100, 1000]) }
    var payloads: [Int] {
        pick([100, 10_240], [100, 1024, 10_240, 102_400], [100, 1024, 10_240, 102_400])
    }
    var keyedShares: [Int] { pick([1, 50], [1, 10, 25, 50], [1, 5, 10, 25, 50]) }

    /// Large payloads are fewer, or a point would be many gigabytes.
    func jobs(ofBytes bytes: Int) -> Int {
        let most = pick(1 << 20, 48 << 20, 1 << 30) / bytes
        return min(sweepJobs, most / 100 * 100)
    }
}
