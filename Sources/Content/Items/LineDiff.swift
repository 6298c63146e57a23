/// What has to be done to one text's lines to get another's: the least there is, by Myers' greedy
/// walk (1986), which is as long as both texts are and as wide as they differ. Both are bounded.
package struct LineDiff: Sendable {
    package enum Line: Sendable, Equatable {
        case same(String)
        case removed(String)
        case added(String)
    }
    /// Why two texts are not compared.
    package enum TooLarge: Error, Equatable {
        case bytes
        case lines
        case changes
    }
    package let lines: [Line]
    /// Of one text, as UTF-8.
    package static let mostBytes = 1 << 20
    package static let mostLines = 20_000
    /// Removed and added, together.
    package static let mostChanges = 1000

    /// - Throws: `TooLarge`.
    package init(from old: String, to new: String) throws(TooLarge) {
        guard max(old.utf8.count, new.utf8.count) <= Self.mostBytes else { throw .bytes }
        var names = LineNames()
        let (one, other) = (names.lines(of: old), names.lines(of: new))
        guard max(one.count, other.count) <= Self.mostLines else { throw .lines }
        // Most of what is the same lies before and behind all that isn't.
        let least = min(one.count, other.count)
        let start = (0..<least).first { one[$0] != other[$0] } ?? least
        let end =
            (0..<(least - start)).first { one[one.count - 1 - $0] != other[other.count - 1 - $0] }
            ?? least - start
        let walk = try LineWalk(
            Array(one[start..<(one.count - end)]), Array(other[start..<(other.count - end)]))
        lines =
            one[..<start].map { .same(names.texts[$0]) }
            + walk.steps.map { step in
                switch step {
                case .same(let name): .same(names.texts[name])
                case .removed(let name): .removed(names.texts[name])
                case .added(let name): .added(names.texts[name])
                }
            } + one[(one.count - end)...].map { .same(names.texts[$0]) }
    }

    package var changes: (removed: Int, added: Int) {
        lines.reduce(into: (0, 0)) { counts, line in
            switch line {
            case .same: break
            case .removed: counts.0 += 1
            case .added: counts.1 += 1
            }
        }
    }
}

/// Numbers for lines: those that are equal byte by byte have one number.
private struct LineNames {
    private(set) var texts: [String] = []
    private var numbers: [[UInt8]: Int] = [:]

    /// No lines for no text; a line end at the end begins no other line.
    mutating func lines(of text: String) -> [Int] {
        if text.isEmpty { return [] }
        var parts = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if text.utf8.last == UInt8(ascii: "\n") { parts.removeLast() }
        return parts.map { part in
            let bytes = Array(part)
            if let number = numbers[bytes] { return number }
            numbers[bytes] = texts.count
            texts.append(String(decoding: bytes, as: UTF8.self))
            return texts.count - 1
        }
    }
}

/// The shortest way from one list of lines to another. `x` and `y` are how many of each lie behind;
/// a way with `d` changes ends on one of the diagonals `x - y` from `-d` to `d`, two apart.
private struct LineWalk {
    enum Step {
        case same(Int)
        case removed(Int)
        case added(Int)
    }
    private(set) var steps: [Step] = []

    init(_ old: [Int], _ new: [Int]) throws(LineDiff.TooLarge) {
        let most = min(old.count + new.count, LineDiff.mostChanges)
        // The furthest `x` on each diagonal, and what it was before each further change.
        var furthest = [Int32](repeating: 0, count: 2 * most + 3)
        var trail: [[Int32]] = []
        for changes in 0...most {
            trail.append(Array(furthest[(most - changes + 1)...(most + changes + 1)]))
            for diagonal in stride(from: -changes, through: changes, by: 2) {
                let place = most + 1 + diagonal
                var x =
                    Self.comesDown(diagonal, changes, furthest[place - 1], furthest[place + 1])
                    ? Int(furthest[place + 1]) : Int(furthest[place - 1]) + 1
                var y = x - diagonal
                while x < old.count, y < new.count, old[x] == new[y] {
                    x += 1
                    y += 1
                }
                furthest[place] = Int32(clamping: x)
                if x >= old.count, y >= new.count {
                    steps = Self.back(through: trail, old, new)
                    return
                }
            }
        }
        throw .changes
    }

    /// Whether a line is added, and not removed, to come onto a diagonal.
    private static func comesDown(
        _ diagonal: Int, _ changes: Int, _ left: Int32, _ right: Int32
    ) -> Bool {
        diagonal == -changes || (diagonal != changes && left < right)
    }

    /// From the end of both to their beginning.
    private static func back(through trail: [[Int32]], _ old: [Int], _ new: [Int]) -> [Step] {
        var steps: [Step] = []
        var (x, y) = (old.count, new.count)
        for changes in stride(from: trail.count - 1, to: 0, by: -1) {
            // `trail[changes]` begins at the diagonal `-changes`.
            let before = trail[changes]
            let diagonal = x - y
            func furthest(_ diagonal: Int) -> Int32 {
                let place = diagonal + changes
                return before.indices.contains(place) ? before[place] : -1
            }
            let isAdded = comesDown(
                diagonal, changes, furthest(diagonal - 1), furthest(diagonal + 1))
            let from = Int(furthest(isAdded ? diagonal + 1 : diagonal - 1))
            let start = isAdded ? from : from + 1
            while x > start {
                x -= 1
                y -= 1
                steps.append(.same(old[x]))
            }
            if isAdded {
                y -= 1
                steps.append(.added(new[y]))
            } else {
                x -= 1
                steps.append(.removed(old[x]))
            }
        }
        while x > 0 {
            x -= 1
            steps.append(.same(old[x]))
        }
        return steps.reversed()
    }
}
