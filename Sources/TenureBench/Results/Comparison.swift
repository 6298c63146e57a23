import TenureCLI

/// Two results side by side.
struct Comparison {
    let before: ResultLines
    let after: ResultLines

    var text: String {
        var table = Table(
            "figure", "unit", "a", "b", "b / a", "a to raw", "b to raw", "ratios b / a", "apart")
        for name in names {
            let a = before.figures.first { $0.figure == name }
            let b = after.figures.first { $0.figure == name }
            table.add(
                name, (a ?? b)?.unit, a.map(Self.spread), b.map(Self.spread),
                Self.quotient(b?.median, a?.median), a?.ratioToRaw.map(ResultTable.number),
                b?.ratioToRaw.map(ResultTable.number),
                Self.quotient(b?.ratioToRaw, a?.ratioToRaw), Self.apart(a, b))
        }
        return [machines, table.text, missing].compactMap { $0 }.joined(separator: "\n\n")
    }

    /// Nobody shall look for a difference where one side is empty.
    private var missing: String? {
        let a = before.figures.map(\.figure)
        let b = after.figures.map(\.figure)
        let lines = [("a", a.filter { !b.contains($0) }), ("b", b.filter { !a.contains($0) })]
            .filter { !$0.1.isEmpty }
            .map { side, names in "only in \(side): \(names.joined(separator: ", "))" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// In the order of the first, then what only the second has.
    private var names: [String] {
        let first = before.figures.map(\.figure)
        return first + after.figures.map(\.figure).filter { !first.contains($0) }
    }

    /// Other machines or settings make figures incomparable; ratios to raw less so. Other scales
    /// make both so.
    private var machines: String? {
        guard let a = before.machine, let b = after.machine else {
            if before.machine == nil, after.machine == nil { return nil }
            return "where it was measured is missing in \(before.machine == nil ? "a" : "b")"
        }
        let differences = a.differences(to: b)
        if differences.isEmpty { return nil }
        var lines = ["a and b were measured differently; compare the ratios to raw:"]
        if a.scale != b.scale {
            lines =
                [
                    "a and b have different sizes, scale \(a.scale) and \(b.scale): "
                        + "figures of one name are not the same measurement"
                ] + lines
        }
        return (lines + differences.map { "  \($0)" }).joined(separator: "\n")
    }

    private static func spread(_ figure: FigureResult) -> String {
        let numbers = [figure.median, figure.min, figure.max].map(ResultTable.number)
        return "\(numbers[0]) (\(numbers[1])–\(numbers[2]))"
    }

    private static func quotient(_ value: Double?, _ base: Double?) -> String? {
        guard let value, let base, base != 0 else { return nil }
        return ResultTable.number(value / base)
    }

    /// Whether the runs of the two don't overlap: less is likely to be noise.
    private static func apart(_ a: FigureResult?, _ b: FigureResult?) -> String? {
        guard let a = a.flatMap({ Spread($0.runs) }), let b = b.flatMap({ Spread($0.runs) }) else {
            return nil
        }
        return a.isApart(from: b) ? "yes" : "no"
    }
}
