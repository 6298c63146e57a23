import TenureFoundation

/// Which of the interleavings are run: all of them, or every n-th, another one each day.
///
/// A day's part has every operation as the first and as the second, and every lock point with
/// every n-th of the others.
struct Portion: CustomStringConvertible {
    static let whole = Portion(parts: 1, turn: 0)

    let parts: Int
    let turn: Int

    /// `TENURE_INTERLEAVINGS` says which: `whole`, or a turn as `2/4`; without it, today's.
    static func asked() throws -> Portion {
        guard let asked = ProcessInfo.processInfo.environment["TENURE_INTERLEAVINGS"] else {
            let parts = 4
            let day = Int(Date.now.timeIntervalSince1970 / 86_400)
            return Portion(parts: parts, turn: day % parts)
        }
        if asked == "whole" { return whole }
        let numbers = asked.split(separator: "/").compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else {
            throw NoPortion(asked: asked)
        }
        return Portion(parts: numbers[1], turn: numbers[0] - 1)
    }

    func contains(_ number: Int) -> Bool { number % parts == turn }

    var description: String {
        self.parts == 1 ? "all" : "TENURE_INTERLEAVINGS=\(turn + 1)/\(parts)"
    }

    private struct NoPortion: Error, CustomStringConvertible {
        let asked: String
        var description: String {
            "TENURE_INTERLEAVINGS is \(asked): say whole, or a part as 2/4"
        }
    }
}
