import TenureCLI

/// One question: the same measurement at several sizes, a figure for each.
struct Sweep: Sendable {
    let name: String
    /// What the points count.
    let axis: String
    var unit = "jobs/s"
    let points: [Int]
    /// What the first point is called, where the others are compared to it.
    var baseline: String?
    var bars: [Int: Bar] = [:]
    var details: @Sendable (Int) -> [String: Double] = { _ in [:] }

    /// One run of one point, with raw's beside it.
    struct Measured: Sendable {
        let value: Double
        let raw: Double?
    }

    /// Every round goes through all points, so that what else the machine does meets all of them.
    func measure(
        _ bench: BenchRun, _ one: (Int) async throws -> Measured
    ) async throws {
        var values = [[Double]](repeating: [], count: points.count)
        var raw = values
        for run in 1...bench.runs {
            for (index, point) in points.enumerated() {
                let done = (run - 1) * points.count + index
                bench.say(
                    "\(name)-\(point): run \(run) of \(bench.runs) "
                        + "(\(points.count * bench.runs - done) left)")
                let measured = try await one(point)
                values[index].append(measured.value)
                if let rate = measured.raw { raw[index].append(rate) }
                if run == bench.runs {
                    try bench.report([
                        result(at: point, values[index], raw: raw[index], first: values[0])
                    ])
                }
            }
        }
    }

    /// - Parameter first: the runs of the first point.
    func result(
        at point: Int, _ values: [Double], raw: [Double], first: [Double]
    ) -> FigureResult {
        let isFirst = point == points.first
        return FigureResult(
            "\(name)-\(point)", unit: unit, values, raw: raw,
            baseline: isFirst ? nil : baseline.map { ($0, first) }, bar: bars[point],
            details: details(point),
            sweep: SweepPoint(name: name, axis: axis, at: Double(point)))
    }
}
