import Content
import Tenure
import TenureWeb

/// A line of two texts that are compared, or several of no interest.
struct ComparedLine: Encodable, Sendable {
    enum Change: String, Encodable, Sendable {
        case same, removed, added
        /// Lines that are the same, away from all that isn't.
        case skipped
    }
    let change: Change
    /// Nil for those that are skipped.
    @OrNull var text: String?
    /// How many lines it stands for.
    let lines: Int

    /// So many lines are shown on both sides of what is different.
    private static let context = 3

    static func all(_ diff: LineDiff) -> [ComparedLine] {
        var result: [ComparedLine] = []
        var same: [String] = []
        func close(isEnd: Bool) {
            let head = result.isEmpty ? 0 : context
            let tail = isEnd ? 0 : context
            // To say that one line is left out takes a line.
            guard same.count > head + tail + 1 else {
                result += same.map { ComparedLine(change: .same, text: $0, lines: 1) }
                same = []
                return
            }
            let left = same.count - head - tail
            result += same.prefix(head).map { ComparedLine(change: .same, text: $0, lines: 1) }
            result.append(ComparedLine(change: .skipped, text: nil, lines: left))
            result += same.suffix(tail).map { ComparedLine(change: .same, text: $0, lines: 1) }
            same = []
        }
        for line in diff.lines {
            switch line {
            case .same(let text): same.append(text)
            case .removed(let text):
                close(isEnd: false)
                result.append(ComparedLine(change: .removed, text: text, lines: 1))
            case .added(let text):
                close(isEnd: false)
                result.append(ComparedLine(change: .added, text: text, lines: 1))
            }
        }
        close(isEnd: true)
        return result
    }

    var markup: Markup {
        switch change {
        case .same: "<div class=\"same\">\(text ?? "")</div>"
        case .removed, .added: "<div>\(change.markup(text ?? ""))</div>"
        case .skipped:
            "<p class=\"soft\">… \(lines) lines that are the same …</p>"
        }
    }
}

extension ComparedLine.Change {
    /// Told by a sign and by words that are read out, not by its colour alone.
    func markup(_ text: String) -> Markup {
        switch self {
        case .removed: "<del>\(Self.told("−", "removed"))\(text)</del>"
        case .added: "<ins>\(Self.told("+", "added"))\(text)</ins>"
        case .same, .skipped: "\(text)"
        }
    }

    private static func told(_ sign: String, _ word: String) -> Markup {
        "<span aria-hidden=\"true\">\(sign) </span><span class=\"unseen\">\(word): </span>"
    }
}
