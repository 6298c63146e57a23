import TenureCLI
import TenureSystem

/// Where values stand on an axis, and which of them are written beside it.
struct PlotScale {
    private let range: ClosedRange<Double>
    private let isLogarithmic: Bool
    let ticks: [Double]

    /// Of an axis whose points are written: sizes that double or grow tenfold stand evenly.
    init(points: [Double]) {
        let least = points.min() ?? 0
        let most = points.max() ?? 0
        isLogarithmic = least > 0 && most / least >= 8 && !Self.isEven(points)
        range = least...most
        let every = (points.count + 7) / 8
        ticks = points.enumerated().filter { (points.count - 1 - $0.offset) % every == 0 }
            .map(\.element)
    }

    /// Of an axis of values: from zero, or by powers of ten where they span more than thirtyfold.
    init(values: [Double]) {
        let most = max(values.max() ?? 1, 1e-9)
        let least = values.min() ?? 0
        isLogarithmic = least > 0 && most / least > 30
        if isLogarithmic {
            let low = Int(log10(least).rounded(.down))
            let high = Int(log10(most).rounded(.up))
            ticks = (low...high).map { pow(10, Double($0)) }
        } else {
            let step = Self.step(most / 5)
            ticks = (0...Int((most / step).rounded(.up))).map { Double($0) * step }
        }
        range = ticks[0]...max(ticks[ticks.count - 1], ticks[0] + 1e-9)
    }

    /// 0 at the axis's begin, 1 at its end.
    func place(_ value: Double) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        if low == high { return 0.5 }
        guard isLogarithmic else { return (value - low) / (high - low) }
        return log(max(value, low) / low) / log(high / low)
    }

    /// Points with the same distance everywhere.
    private static func isEven(_ points: [Double]) -> Bool {
        guard points.count > 2 else { return false }
        let first = points[1] - points[0]
        return zip(points, points.dropFirst()).allSatisfy { abs($1 - $0 - first) < first * 0.01 }
    }

    /// 1, 2 or 5 times a power of ten, not below.
    private static func step(_ least: Double) -> Double {
        let power = pow(10, log10(least).rounded(.down))
        return [1, 2, 5].map { $0 * power }.first { $0 >= least } ?? 10 * power
    }
}
