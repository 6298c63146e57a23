import TenureCLI

/// The points of one question, in the order of what they count.
struct SweepResult: Sendable {
    let name: String
    let axis: String
    let unit: String
    let points: [FigureResult]

    /// - Parameter points: of one sweep, one at least.
    fileprivate init(name: String, _ points: [FigureResult]) {
        self.name = name
        axis = points[0].sweep?.axis ?? ""
        unit = points[0].unit
        self.points = points.sorted { ($0.sweep?.at ?? 0) < ($1.sweep?.at ?? 0) }
    }

    /// What it is called where there is room.
    var title: String { "\(name): \(unit) by \(axis)" }
}

extension ResultLines {
    /// The questions, in the order in which they were measured.
    var sweeps: [SweepResult] {
        let names = figures.compactMap(\.sweep?.name)
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return names.map { name in
            SweepResult(name: name, figures.filter { $0.sweep?.name == name })
        }
    }

    /// The figures that stand by themselves.
    var single: [FigureResult] { figures.filter { $0.sweep == nil } }
}
