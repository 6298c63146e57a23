import ArgumentParser

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
    var latencySamples: Int { pick(5, 150, 500) }
    var latencyPause: ClosedRange<Int> { pick(5...10, 20...60, 20...60) }
    /// Jobs of a stretch, and stretches, of the long run under an open snapshot.
    var decayChunk: Int { pick(500, 10_000, 50_000) }
    var decayChunks: Int { pick(3, 10, 20) }
    var deepJobs: Int { pick(2000, 300_000, 10_000_000) }
    var shallowJobs: Int { pick(1000, 10_000, 10_000) }
    var claims: Int { pick(10, 200, 400) }
    var idleTime: Duration { pick(.seconds(1), .seconds(30), .seconds(120)) }
    var idleRest: Duration { pick(.milliseconds(100), .seconds(12), .seconds(30)) }
}
