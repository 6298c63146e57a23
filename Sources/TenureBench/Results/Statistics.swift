import TenureCLI

/// Order statistics of a handful of runs, or of many samples.
enum Statistics {
    /// The middle value, or the mean of the two in the middle; 0 of none.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        guard !sorted.isEmpty else { return 0 }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The smallest value that at least `share` of all don't exceed (nearest rank); 0 of none.
    static func percentile(_ share: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}

/// The runs of one measurement.
struct Spread: Codable, Sendable, Equatable {
    let median: Double
    let min: Double
    let max: Double

    init(median: Double, min: Double, max: Double) {
        self.median = median
        self.min = min
        self.max = max
    }

    init?(_ values: [Double]) {
        guard let least = values.min(), let most = values.max() else { return nil }
        median = Statistics.median(values).rounded(digits: 4)
        min = least.rounded(digits: 4)
        max = most.rounded(digits: 4)
    }

    /// Whether the two have no value in common.
    func isApart(from other: Spread) -> Bool { max < other.min || other.max < min }
}

extension Double {
    /// So many digits that mean something, at least.
    func rounded(digits: Int) -> Double {
        guard self != 0, isFinite else { return isFinite ? self : 0 }
        var scale = 1.0
        var rest = abs(self)
        while rest < 1000 && digits > 0 && scale < 1e9 {
            scale *= 10
            rest *= 10
        }
        return (self * scale).rounded() / scale
    }
}
