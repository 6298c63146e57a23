// docs/decisions/outside.md

/// Numbers that somebody else wrote: each has its range, is compared with it once, where it is
/// decoded, and is named where it is out of it. Behind that, arithmetic on it can't overflow.
enum Bounds {
    /// - Throws: `ContentError` with `.badOption`. What is no number at all is out of every range.
    static func check<Number: Comparable>(
        _ name: String, _ number: Number?, _ range: ClosedRange<Number>
    ) throws {
        guard let number, !range.contains(number) else { return }
        throw ContentError(.badOption, "\(name) is \(range.refusal(of: number))")
    }
}

extension ClosedRange {
    fileprivate func refusal(of number: Bound) -> String {
        "\(number); give \(lowerBound) to \(upperBound)"
    }
}

extension KeyedDecodingContainer {
    /// A number of a payload, if it is there.
    /// - Throws: `DecodingError`, which says the field's name, its number and its range.
    func decodeNumber<Number: Comparable & Decodable>(
        in range: ClosedRange<Number>, forKey key: Key
    ) throws -> Number? {
        guard let number = try decodeIfPresent(Number.self, forKey: key) else { return nil }
        guard range.contains(number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "it is \(range.refusal(of: number))")
        }
        return number
    }
}

extension Duration {
    /// For every `Double` there is: a number of seconds that no `Duration` can hold counts as the
    /// nearest of ± 30 years, and what is no number as none.
    static func clamped(seconds: Double) -> Duration {
        let most = 1e9
        // Bounded: by this line.
        return seconds.isNaN ? .zero : .seconds(min(max(seconds, -most), most))
    }
}
