/// Who looks for the place of a change begins with the page on architecture: it names each folder.
extension Rule {
    static let houseMap = Rule(
        name: "the page on architecture names every folder of a target, and none that isn't there",
        check: { repository in
            guard let page = repository.files.first(where: { $0.path == mapPath }) else {
                return []
            }
            let folders = repository.foldersOfTargets
            return sections(of: page).flatMap { section in
                check(section, against: folders[section.target] ?? [])
            }
        },
        bad: [],
        badTogether: [
            [
                SourceFile(mapPath, "**`Web`**\n\n| folder | holds |\n| `URL` | URLs |"),
                SourceFile("Sources/Web/URL/A.swift", ""),
                SourceFile("Sources/Web/Tree/B.swift", ""),
            ],
            [
                SourceFile(mapPath, "**`Web`**\n\n| `URL` | URLs | `Gone` |"),
                SourceFile("Sources/Web/URL/A.swift", ""),
            ],
            [
                SourceFile(mapPath, "**`Web`**\n\n| `URL` | URLs | – |\n| `Gone` | more | – |"),
                SourceFile("Sources/Web/URL/A.swift", ""),
            ],
        ],
        goodTogether: [
            [
                SourceFile(
                    mapPath, "**`Web`**: `URL` (them) and a `WebURL`.\n\n**`Job`**\n\n| (top) | b |"
                ),
                SourceFile("Sources/Web/URL/A.swift", ""), SourceFile("Sources/Job/A.swift", ""),
            ],
            [
                SourceFile(
                    mapPath,
                    "**`Web`**\n| folder | holds | uses |\n|---|---|---|\n"
                        + "| `URL`, `Tree` | `Gone` ones | `Tree` |\n\n## Else\n| `Gone` |"),
                SourceFile("Sources/Web/URL/A.swift", ""),
                SourceFile("Sources/Web/Tree/B.swift", ""),
            ],
        ])

    private static let mapPath = "docs/architecture.md"

    /// What the page says of a target.
    private struct Section {
        let target: String
        /// Its first line, from 1.
        let start: Int
        var lines: [String] = []
    }

    private static func sections(of page: SourceFile) -> [Section] {
        var found: [Section] = []
        var isOpen = false
        for (index, line) in page.lines.enumerated() {
            let text = String(line)
            if let head = text.firstMatch(of: #/^\*\*`(\w+)`\*\*/#) {
                found.append(
                    Section(target: String(head.1), start: index + 1, lines: [text]))
                isOpen = true
            } else if text.hasPrefix("#") {
                isOpen = false
            } else if isOpen {
                found[found.count - 1].lines.append(text)
            }
        }
        return found
    }

    private static func check(_ section: Section, against folders: Set<String>) -> [Finding] {
        // A list of names may go on in the next line.
        let named = Set(words(section.lines.dropHead.joined(separator: " ")))
        let missing = folders.subtracting(named).sorted().map { folder in
            Finding(
                path: mapPath, line: section.start,
                text: "nothing is said of the folder \(folder) of \(section.target)")
        }
        return missing
            + section.lines.enumerated().flatMap { index, line in
                rowNames(line).filter { !folders.contains($0) && !$0.contains(".") }.map { name in
                    Finding(
                        path: mapPath, line: section.start + index,
                        text: "\(section.target) has no folder \(name)")
                }
            }
    }

    /// The folders that a row of a table is about, and those that they use.
    private static func rowNames(_ line: String) -> [String] {
        guard line.hasPrefix("|") else { return [] }
        let cells = line.split(separator: "|").map(String.init)
        return [cells.first, cells.count > 2 ? cells.last : nil].compactMap { $0 }.flatMap(words)
    }

    /// What stands between backticks, word by word.
    private static func words(_ line: String) -> [String] {
        line.matches(of: #/`([^`]+)`/#).flatMap { $0.1.split(separator: " ").map(String.init) }
    }
}

extension [String] {
    /// Without the target's own name, which may be a folder's too.
    fileprivate var dropHead: [String] {
        guard let first else { return [] }
        return [String(first.drop { $0 != "`" }.dropFirst().drop { $0 != "`" }.dropFirst())]
            + dropFirst()
    }
}

extension Repository {
    /// The names of the folders right below each target.
    fileprivate var foldersOfTargets: [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for file in sources {
            let parts = file.path.split(separator: "/").map(String.init)
            if parts.count > 3 { found[parts[1], default: []].insert(parts[2]) }
        }
        return found
    }
}
