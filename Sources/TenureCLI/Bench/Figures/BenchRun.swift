import Tenure

/// What a figure works with.
struct BenchRun: Sendable {
    let place: BenchPlace
    let yardstick: Yardstick
    let scale: BenchScale
    let runs: Int
    /// Jobs at a time of one worker process.
    let slots: Int
    /// A library that counts allocations, for the figure of that name.
    let allocationCounter: String?

    /// The most jobs that a worker claims at once, which is what the yardstick claims at once.
    static let batch = 500
    /// Jobs of one bulk enqueue, and rows of one COPY.
    static let bulk = 1000

    var crew: BenchCrew.Shape { BenchCrew.Shape(slots: slots) }

    /// One run after the other, each told on standard error.
    func rounds(_ name: String, _ body: (Int) async throws -> Void) async throws {
        for number in 1...runs {
            say("\(name): run \(number) of \(runs)")
            try await body(number)
        }
    }

    func say(_ text: String) {
        if Terminal.errorIsTerminal { Terminal.progress(text) } else { Terminal.error(text) }
    }

    /// Seconds on a clock that doesn't jump.
    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now) / .seconds(1)
    }
}
