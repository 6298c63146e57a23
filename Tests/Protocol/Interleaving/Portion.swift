import TenureFoundation

/// Which of the interleavings are run: all of them, or every n-th, another one each day, beside
/// those of operations that have changed.
///
/// A day's part has every operation as the first and as the second, and every lock point with
/// every n-th of the others.
struct Portion: CustomStringConvertible {
    static let whole = Portion(parts: 1, turn: 0)
    static let none = Portion(parts: .max, turn: .max - 1)

    let parts: Int
    let turn: Int
    /// Without those that have changed: where a mutant changes them all.
    var isAlone = false

    /// `TENURE_INTERLEAVINGS` says which: `whole`, a turn as `2/24`, or `changed` for no others,
    /// or `only 2/24` for no changed ones; without it, today's.
    static func asked() throws -> Portion {
        guard let asked = ProcessInfo.processInfo.environment["TENURE_INTERLEAVINGS"] else {
            let parts = 24
            let day = Int(Date.now.timeIntervalSince1970 / 86_400)
            return Portion(parts: parts, turn: day % parts)
        }
        if asked == "whole" { return whole }
        if asked == "changed" { return none }
        let isAlone = asked.starts(with: "only ")
        let numbers = asked.dropFirst(isAlone ? 5 : 0).split(separator: "/").compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else {
            throw NoPortion(asked: asked)
        }
        return Portion(parts: numbers[1], turn: numbers[0] - 1, isAlone: isAlone)
    }

    /// Whether what was changed has met all others afterwards, for `whole-run.txt`; a day's part is
    /// no record of anything.
    var isForTheRecord: Bool { parts == 1 || parts == .max }

    func contains(_ number: Int) -> Bool { number % parts == turn }

    var description: String {
        switch parts {
        case 1: "all"
        case .max: "TENURE_INTERLEAVINGS=changed"
        default: "TENURE_INTERLEAVINGS=\(turn + 1)/\(parts)"
        }
    }

    private struct NoPortion: Error, CustomStringConvertible {
        let asked: String
        var description: String {
            "TENURE_INTERLEAVINGS is \(asked): say whole, changed, or a part as 2/24 or only 2/24"
        }
    }
}
