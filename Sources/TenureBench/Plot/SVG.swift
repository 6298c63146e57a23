import TenureCLI

/// A drawing as text: lines, circles and words, and nothing that would need a script or a font.
struct SVG {
    struct Point {
        let x: Double
        let y: Double
    }

    enum Anchor: String { case start, middle, end }

    private let head: String
    private var body: [String] = []

    /// - Parameter title: for those who can't see it.
    init(width: Double, height: Double, title: String) {
        let size = "\(Self.number(width)) \(Self.number(height))"
        head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" \
            font-family="sans-serif" font-size="12" fill="none">
            <title>\(Self.escaped(title))</title>
            """
    }

    var text: String { ([head] + body + ["</svg>", ""]).joined(separator: "\n") }

    mutating func line(_ from: Point, _ to: Point, _ colour: String, width: Double) {
        body.append(
            """
            <path d="M\(Self.pair(from))L\(Self.pair(to))" stroke="\(colour)" \
            stroke-width="\(Self.number(width))"/>
            """)
    }

    mutating func polyline(_ points: [Point], _ colour: String, isDashed: Bool) {
        body.append(
            """
            <polyline points="\(points.map(Self.pair).joined(separator: " "))" \
            stroke="\(colour)" stroke-width="2"\(isDashed ? " stroke-dasharray=\"6 4\"" : "")/>
            """)
    }

    mutating func circle(_ centre: Point, _ colour: String, isHollow: Bool) {
        body.append(
            """
            <circle cx="\(Self.number(centre.x))" cy="\(Self.number(centre.y))" r="4" \
            stroke="\(colour)" stroke-width="2" fill="\(isHollow ? "none" : colour)"/>
            """)
    }

    mutating func text(_ text: String, at point: Point, _ colour: String, _ anchor: Anchor) {
        body.append(
            """
            <text x="\(Self.number(point.x))" y="\(Self.number(point.y))" fill="\(colour)" \
            text-anchor="\(anchor.rawValue)">\(Self.escaped(text))</text>
            """)
    }

    private static func pair(_ point: Point) -> String { "\(number(point.x)),\(number(point.y))" }

    /// To a tenth of a pixel.
    private static func number(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
    }
}
