import TenureCLI

/// One question as a drawing: medians with their least and most, raw's beside them.
///
/// It lies on no ground of its own and has colours of middle brightness: a page may be light or
/// dark, and an image in it isn't told which. Raw's line is dashed and its points are hollow: the
/// two can be told apart without colours.
struct Plot {
    private let sweep: SweepResult
    private let x: PlotScale
    private let y: PlotScale

    private static let size = (width: 640.0, height: 320.0)
    private static let frame = (left: 76.0, right: 612.0, top: 46.0, bottom: 262.0)
    private static let grey = "#7d7d7d"

    private struct Series {
        let name: String
        let colour: String
        let isRaw: Bool
        let marks: [(at: Double, spread: Spread)]
    }

    init(_ sweep: SweepResult) {
        self.sweep = sweep
        x = PlotScale(points: sweep.points.compactMap(\.sweep?.at))
        y = PlotScale(
            values: sweep.points.flatMap { [$0.spread, $0.raw] }
                .flatMap { $0.map { [$0.min, $0.max] } ?? [] })
    }

    var svg: String {
        var svg = SVG(width: Self.size.width, height: Self.size.height, title: sweep.title)
        drawAxes(in: &svg)
        for (index, series) in series.enumerated() {
            draw(series, in: &svg)
            drawName(of: series, at: index, in: &svg)
        }
        return svg.text
    }

    /// Raw first: ours lies over it.
    private var series: [Series] {
        let at = { (point: FigureResult) in point.sweep?.at ?? 0 }
        let raw = sweep.points.compactMap { point in point.raw.map { (at(point), $0) } }
        let ours = sweep.points.map { (at($0), $0.spread) }
        return [
            Series(name: "raw", colour: "#c77700", isRaw: true, marks: raw),
            Series(name: "tenure", colour: "#2f81f7", isRaw: false, marks: ours),
        ].filter { !$0.marks.isEmpty }
    }

    private func position(_ at: Double, _ value: Double) -> SVG.Point {
        let frame = Self.frame
        return SVG.Point(
            x: frame.left + 20 + x.place(at) * (frame.right - frame.left - 40),
            y: frame.bottom - y.place(value) * (frame.bottom - frame.top))
    }

    private func drawAxes(in svg: inout SVG) {
        let (left, right, top, bottom) = Self.frame
        for tick in y.ticks {
            let height = position(0, tick).y
            svg.line(.init(x: left, y: height), .init(x: right, y: height), Self.grey, width: 0.4)
            svg.text(
                ResultTable.grouped(tick), at: .init(x: left - 8, y: height + 4), Self.grey, .end)
        }
        svg.line(.init(x: left, y: top), .init(x: left, y: bottom), Self.grey, width: 1)
        for tick in x.ticks {
            let place = position(tick, 0).x
            svg.line(
                .init(x: place, y: bottom), .init(x: place, y: bottom + 5), Self.grey, width: 1)
            svg.text(
                ResultTable.grouped(tick), at: .init(x: place, y: bottom + 20), Self.grey, .middle)
        }
        svg.text(
            sweep.axis, at: .init(x: (left + right) / 2, y: bottom + 42), Self.grey, .middle)
        svg.text(sweep.unit, at: .init(x: left - 8, y: top - 20), Self.grey, .middle)
    }

    private func draw(_ series: Series, in svg: inout SVG) {
        let medians = series.marks.map { position($0.at, $0.spread.median) }
        svg.polyline(medians, series.colour, isDashed: series.isRaw)
        for (mark, median) in zip(series.marks, medians) {
            let low = position(mark.at, mark.spread.min)
            let high = position(mark.at, mark.spread.max)
            svg.line(low, high, series.colour, width: 1.5)
            for end in [low, high] {
                svg.line(
                    .init(x: end.x - 4, y: end.y), .init(x: end.x + 4, y: end.y), series.colour,
                    width: 1.5)
            }
            svg.circle(median, series.colour, isHollow: series.isRaw)
        }
    }

    private func drawName(of series: Series, at index: Int, in svg: inout SVG) {
        let start = SVG.Point(x: Self.frame.right - 170 + Double(index) * 90, y: 20)
        let end = SVG.Point(x: start.x + 26, y: start.y)
        svg.polyline([start, end], series.colour, isDashed: series.isRaw)
        svg.circle(.init(x: start.x + 13, y: start.y), series.colour, isHollow: series.isRaw)
        svg.text(series.name, at: .init(x: end.x + 6, y: end.y + 4), Self.grey, .start)
    }
}
