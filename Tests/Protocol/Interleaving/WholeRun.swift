import TenureFoundation

/// What every operation was when it last met all others: `Tests/Protocol/whole-run.txt`, which
/// `bin/test interleavings` writes.
struct WholeRun {
    /// By the operations' names.
    var marks: [String: String]

    static func read() throws -> WholeRun {
        let file = Reach.folder.appending(path: "whole-run.txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.starts(with: "mark ") }
        let pairs = lines.map { line in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            return (words[2], words[1])
        }
        return WholeRun(marks: Dictionary(uniqueKeysWithValues: pairs))
    }

    /// A line an operation, in the order of their names.
    var text: String {
        marks.sorted { $0.key < $1.key }.map { "mark \($0.value) \($0.key)" }
            .joined(separator: "\n")
    }
}

extension Reach {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// What stops the two and judges them; not what chooses, counts and prints.
    private static let runner = [
        "Bench", "Discovery", "Inspection", "Interleaving", "LockPoint", "Side", "Sweep", "Watch",
    ]

    static func here() throws -> Reach {
        let files = try runner.map { name in
            try String(
                contentsOf: folder.appending(path: "Interleaving/\(name).swift"), encoding: .utf8)
        }
        return Reach(runner: files.map { bare($0, without: "//") }.joined())
    }

    func marks(of operations: [Operation]) -> [String: String] {
        Dictionary(operations.map { ($0.name, mark(of: $0)) }) { first, _ in first }
    }
}
