import TenureCLI

/// One figure of a run of the benchmark: a line of its output.
struct FigureResult: Codable, Sendable {
    let figure: String
    /// The question that this is one point of; nil where the figure stands by itself.
    let sweep: SweepPoint?
    let unit: String
    let median: Double
    let min: Double
    let max: Double
    /// Each run, in the order of the runs.
    let runs: [Double]
    /// The yardstick, measured in turn with it.
    let raw: Spread?
    /// Median to median; nil where there is no yardstick, or no pgbench.
    let ratioToRaw: Double?
    /// What else it is compared to, and how it does.
    let baseline: String?
    let ratioToBaseline: Double?
    let bar: String?
    let isMet: Bool?
    /// What was done, and what was seen beside.
    let details: [String: Double]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case figure, sweep, unit, median, min, max, runs, raw, baseline, bar, details
        case ratioToRaw = "ratio_to_raw"
        case ratioToBaseline = "ratio_to_baseline"
        case isMet = "met"
    }

    /// - Parameter baseline: its name, and its runs.
    init(
        _ figure: String, unit: String, _ values: [Double], raw: [Double] = [],
        baseline: (name: String, values: [Double])? = nil, bar: Bar? = nil,
        details: [String: Double] = [:], sweep: SweepPoint? = nil
    ) {
        self.figure = figure
        self.sweep = sweep
        self.unit = unit
        let spread = Spread(values)
        median = spread?.median ?? 0
        min = spread?.min ?? 0
        max = spread?.max ?? 0
        runs = values.map { $0.rounded(digits: 4) }
        self.raw = Spread(raw)
        ratioToRaw = Self.ratio(values, raw)
        self.baseline = baseline?.name
        ratioToBaseline = Self.ratio(values, baseline?.values ?? [])
        self.bar = bar?.description
        isMet = bar?.isMet(
            value: spread?.median, ratioToRaw: ratioToRaw, ratioToBaseline: ratioToBaseline)
        self.details = details.mapValues { $0.rounded(digits: 4) }
    }

    var spread: Spread { Spread(median: median, min: min, max: max) }

    private static func ratio(_ values: [Double], _ others: [Double]) -> Double? {
        let other = Statistics.median(others)
        guard other > 0, !values.isEmpty else { return nil }
        return (Statistics.median(values) / other).rounded(digits: 3)
    }

    /// Keys without a value are there too, as null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(figure, forKey: .figure)
        try container.encode(sweep, forKey: .sweep)
        try container.encode(unit, forKey: .unit)
        try container.encode(median, forKey: .median)
        try container.encode(min, forKey: .min)
        try container.encode(max, forKey: .max)
        try container.encode(runs, forKey: .runs)
        try container.encode(raw, forKey: .raw)
        try container.encode(ratioToRaw, forKey: .ratioToRaw)
        try container.encode(baseline, forKey: .baseline)
        try container.encode(ratioToBaseline, forKey: .ratioToBaseline)
        try container.encode(bar, forKey: .bar)
        try container.encode(isMet, forKey: .isMet)
        try container.encode(details, forKey: .details)
    }
}

/// Where a figure stands in its sweep: the same measurement at several sizes.
struct SweepPoint: Codable, Sendable, Equatable {
    let name: String
    /// What `at` counts, for people.
    let axis: String
    let at: Double
}

/// What a figure should come to.
struct Bar: Sendable, CustomStringConvertible {
    private enum Subject: String {
        case value = ""
        case raw = " × raw"
        case baseline = " × baseline"
    }

    private let subject: Subject
    private let isLeast: Bool
    private let limit: Double
    private let unit: String

    static func atLeast(_ limit: Double, of subject: Comparand) -> Bar {
        Bar(subject: subject == .raw ? .raw : .baseline, isLeast: true, limit: limit, unit: "")
    }

    static func atMost(_ limit: Double, of subject: Comparand) -> Bar {
        Bar(subject: subject == .raw ? .raw : .baseline, isLeast: false, limit: limit, unit: "")
    }

    static func atLeast(_ limit: Double) -> Bar {
        Bar(subject: .value, isLeast: true, limit: limit, unit: "")
    }

    static func atMost(_ limit: Double, _ unit: String) -> Bar {
        Bar(subject: .value, isLeast: false, limit: limit, unit: " " + unit)
    }

    enum Comparand { case raw, baseline }

    var description: String {
        let number = limit == limit.rounded() ? String(Int(limit)) : String(limit)
        return "\(isLeast ? "≥" : "≤") \(number)\(unit)\(subject.rawValue)"
    }

    func isMet(value: Double?, ratioToRaw: Double?, ratioToBaseline: Double?) -> Bool? {
        let seen =
            switch subject {
            case .value: value
            case .raw: ratioToRaw
            case .baseline: ratioToBaseline
            }
        return seen.map { isLeast ? $0 >= limit : $0 <= limit }
    }
}
