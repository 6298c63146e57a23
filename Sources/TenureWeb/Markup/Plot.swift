/// A small plot of one number over time, drawn on the server.
struct Plot {
    let title: String
    let values: [Double]
    private static let (width, height) = (240.0, 48.0)

    /// The newest value in words, too: a picture alone says nothing to who doesn't see it.
    var markup: Markup {
        let most = max(values.max() ?? 0, 1)
        let step = values.count > 1 ? Self.width / Double(values.count - 1) : Self.width
        let points = values.enumerated().map { index, value in
            let height = Self.height - 2 - value / most * (Self.height - 4)
            return "\(Self.short(Double(index) * step)),\(Self.short(height))"
        }.joined(separator: " ")
        let now = values.last.map(Self.words) ?? "–"
        return """
            <figure class="plot"><figcaption>\(title) <strong>\(now)</strong> a second, \
            at most \(Self.words(values.max() ?? 0)) of late</figcaption>
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" aria-hidden="true" \
            preserveAspectRatio="none"><polyline points="\(points)"/></svg></figure>
            """
    }

    private static func short(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }

    private static func words(_ value: Double) -> String {
        value >= 100 ? "\(Int(value.rounded()))" : short(value)
    }
}
