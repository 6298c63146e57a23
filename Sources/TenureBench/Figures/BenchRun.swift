import Tenure
import TenureCLI

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
    /// Where a figure leaves what it has measured, as soon as it has.
    let report: @Sendable ([FigureResult]) throws -> Void
    /// Which of how many figures it is, and since when they are measured.
    var progress = ""
    private let start = ContinuousClock.now

    init(
        place: BenchPlace, yardstick: Yardstick, scale: BenchScale, runs: Int, slots: Int,
        allocationCounter: String?, report: @escaping @Sendable ([FigureResult]) throws -> Void
    ) {
        self.place = place
        self.yardstick = yardstick
        self.scale = scale
        self.runs = runs
        self.slots = slots
        self.allocationCounter = allocationCounter
        self.report = report
    }

    /// The same, elsewhere.
    init(_ other: BenchRun, place: BenchPlace, yardstick: Yardstick) {
        self.init(
            place: place, yardstick: yardstick, scale: other.scale, runs: other.runs,
            slots: other.slots, allocationCounter: other.allocationCounter, report: other.report)
    }

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
        let minutes = Int(start.duration(to: .now) / .seconds(60))
        let line = [progress, text, minutes > 0 ? "(\(minutes) min so far)" : ""]
            .filter { !$0.isEmpty }.joined(separator: " ")
        if Terminal.errorIsTerminal { Terminal.progress(line) } else { Terminal.error(line) }
    }

    /// Seconds on a clock that doesn't jump.
    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now) / .seconds(1)
    }
}
