import Tenure
import TenureCLI

/// Figures for people.
enum ResultTable {
    static func text(_ figures: [FigureResult]) -> String {
        var table = Table(
            "figure", "unit", "median", "min", "max", "raw", "to raw", "bar", "met", "compared to")
        for figure in figures {
            table.add(
                figure.figure, figure.unit, number(figure.median), number(figure.min),
                number(figure.max), figure.raw.map { number($0.median) },
                figure.ratioToRaw.map(number), figure.bar,
                figure.isMet.map { $0 ? "yes" : "no" },
                figure.comparison)
        }
        return table.text
    }

    /// Without digits that mean nothing.
    static func number(_ value: Double) -> String {
        switch abs(value) {
        case 1000...: return String(Int(value.rounded()))
        case 100...: return trimmed(value, 10)
        case 1...: return trimmed(value, 100)
        default: return trimmed(value, 1000)
        }
    }

    /// The same with a comma between thousands.
    static func grouped(_ value: Double) -> String {
        abs(value) < 1000 ? number(value) : CountText.grouped(Int(value.rounded()))
    }

    private static func trimmed(_ value: Double, _ scale: Double) -> String {
        let rounded = (value * scale).rounded() / scale
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}

extension FigureResult {
    /// To its baseline, for people; nil where there is none.
    var comparison: String? {
        guard let baseline, let ratioToBaseline else { return nil }
        return "\(ResultTable.number(ratioToBaseline)) × \(baseline)"
    }
}
