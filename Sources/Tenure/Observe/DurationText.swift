/// Durations as people write them: `500ms`, `30s`, `5m`, `1h`, `2d`; a bare number is seconds.
package enum DurationText {
    package static func parse(_ text: String) -> Duration? {
        let unit = text.suffix(while: \.isLetter)
        guard let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0 else {
            return nil
        }
        let seconds: Double
        switch unit {
        case "us", "µs": seconds = number / 1_000_000
        case "ms": seconds = number / 1000
        case "s", "": seconds = number
        case "m": seconds = number * 60
        case "h": seconds = number * 3600
        case "d": seconds = number * 86_400
        default: return nil
        }
        return seconds > 1e11 ? nil : .seconds(seconds)
    }

    /// In the largest unit that leaves a number of two digits: `850ms`, `12s`, `3.5h`.
    package static func format(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        switch abs(seconds) {
        case 0: return "0s"
        case ..<0.001: return "\(Int((seconds * 1_000_000).rounded(.awayFromZero)))µs"
        case ..<1: return "\(Int((seconds * 1000).rounded()))ms"
        case ..<120: return trimmed(seconds) + "s"
        case ..<7200: return trimmed(seconds / 60) + "m"
        case ..<172_800: return trimmed(seconds / 3600) + "h"
        default: return trimmed(seconds / 86_400) + "d"
        }
    }

    private static func trimmed(_ number: Double) -> String {
        let tenths = (number * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }
}

extension String {
    fileprivate func suffix(while matches: (Character) -> Bool) -> Substring {
        self[(lastIndex { !matches($0) }.map { index(after: $0) } ?? startIndex)...]
    }
}
