/// SQL functions: each in a file of its own verb, and every file applied.
extension Rule {
    static let sqlFunctions = [applied, ordered, replaceable, tablesAlone, released]

    private static let order = SourceFile("migrations/functions/order.txt", "a # what\nrights.sql")
    private static let sample = SourceFile(
        "migrations/functions/a/verb.sql",
        "-- Why.\nCREATE OR REPLACE FUNCTION tenure.verb() RETURNS void LANGUAGE sql AS '';")

    /// What isn't in `order.txt` is not embedded, and missing in every database.
    private static let applied = Rule(
        name: "a file of functions that is not applied",
        check: { repository in
            repository.functionFiles.compactMap { file in
                let parts = file.path.split(separator: "/").map(String.init)
                let place = parts.lastIndex(of: "functions").map { Array(parts[($0 + 1)...]) } ?? []
                let isNamed = repository.order(of: file).contains(place[0])
                let isReached = place.count == 1 || place.count == 2 && !place[0].hasSuffix(".sql")
                if isNamed, isReached, file.path.hasSuffix(".sql") { return nil }
                return Finding(path: file.path, line: nil, text: "order.txt doesn't reach it")
            }
        },
        bad: [sample],
        badTogether: [
            [order, SourceFile("migrations/functions/b/verb.sql", sample.text)],
            [order, SourceFile("migrations/functions/a/b/verb.sql", sample.text)],
            [order, SourceFile("migrations/functions/a/verb.psql", sample.text)],
            [order, SourceFile("migrations/functions/verb.sql", sample.text)],
            [order, SourceFile("migrations/content/functions/a/verb.sql", sample.text)],
        ],
        goodTogether: [
            [order, sample], [order, SourceFile("migrations/functions/rights.sql", "-- Why.")],
        ])

    private static let ordered = Rule(
        name: "order.txt names what isn't there",
        check: { repository in
            repository.files.filter { $0.path.hasSuffix("functions/order.txt") }.flatMap { file in
                let folder = file.path.dropLast("order.txt".count)
                return file.entries.filter { entry in
                    !repository.files.contains {
                        $0.path == "\(folder)\(entry)" || $0.path.hasPrefix("\(folder)\(entry)/")
                    }
                }.map { Finding(path: file.path, line: nil, text: "no \($0)") }
            }
        },
        bad: [order],
        goodTogether: [[order, sample, SourceFile("migrations/functions/rights.sql", "-- Why.")]])

    /// The same file runs again in databases that have its functions.
    private static let replaceable = Rule(
        name: "a file of functions holds functions that may be replaced, a verb with its helpers",
        check: { repository in
            repository.functionFiles.filter { $0.path.hasSuffix(".sql") }.flatMap { file in
                faults(of: file).map { Finding(path: file.path, line: nil, text: $0) }
            }
        },
        bad: [
            SourceFile(sample.path, String(sample.text.dropFirst("-- Why.\n".count))),
            SourceFile(sample.path, sample.text.replacing("OR REPLACE ", with: "")),
            SourceFile(sample.path, sample.text + "\nCREATE TABLE tenure.a ();"),
            SourceFile("migrations/functions/a/other.sql", sample.text),
        ],
        good: [sample, SourceFile("migrations/functions/a/ve.sql", sample.text)])

    private static func faults(of file: SourceFile) -> [String] {
        let made = file.lines.filter { $0.hasPrefix("CREATE ") || $0.hasPrefix("ALTER ") }
        let name = file.path.split(separator: "/").last.map { $0.dropLast(".sql".count) } ?? ""
        let isNamed = made.contains {
            $0.firstMatch(of: #/FUNCTION \w+\.(\w+)\(/#)?.1.hasPrefix(name) ?? false
        }
        let strays = made.filter { !$0.hasPrefix("CREATE OR REPLACE FUNCTION ") }
        return (file.text.hasPrefix("-- ") ? [] : ["no comment that says why"])
            + (isNamed || made.isEmpty ? [] : ["named after none of its functions"])
            + strays.map { "belongs to a numbered file: \($0)" }
    }

    /// Columns have defaults that call them.
    private static let needed: Set = ["content.digest", "content.now"]

    private static let tablesAlone = perFile(
        "a function in a numbered file, where no release can change it: only what tables need",
        bad: [
            SourceFile("migrations/0001_a.sql", "CREATE FUNCTION tenure.a() RETURNS void"),
            SourceFile("migrations/0001_a.sql", "CREATE OR REPLACE FUNCTION tenure.a()"),
        ],
        good: [SourceFile("migrations/content/0001_a.sql", "CREATE FUNCTION content.now()")],
        in: { $0.files.filter(\.isNumbered) },
        lines: { file in
            file.lines.indices.filter { line in
                file.lines[line].firstMatch(of: #/^CREATE .*FUNCTION (\w+\.\w+)\(/#)
                    .map { !needed.contains(String($0.1)) } ?? false
            }
        })

    /// Releases are told apart by their newest numbered file: one that has other functions and no
    /// file more would be overwritten by the one before it.
    private static let released = Rule(
        name: "functions differ from the last release's, and no numbered file came with them",
        check: { repository in
            let files = repository.files.filter { $0.path.hasSuffix("functions/released.txt") }
            return files.filter { file in
                let home = file.path.dropLast("functions/released.txt".count)
                let newest = repository.files.filter(\.isNumbered).map(\.path)
                    .filter { $0.hasPrefix(home) && !$0.dropFirst(home.count).contains("/") }.max()
                let said = file.text.split(whereSeparator: \.isWhitespace)
                return said.count == 2 && newest == "\(home)\(said[0])"
                    && said[1] != repository.sum(of: file)
            }.map {
                Finding(path: $0.path, line: nil, text: "add one: docs/decisions/upgrades.md")
            }
        },
        bad: [],
        badTogether: [
            [
                order, sample, SourceFile("migrations/0001_a.sql", "-- Why."),
                SourceFile("migrations/functions/released.txt", "0001_a.sql 0123456789abcdef"),
            ]
        ],
        goodTogether: [
            [
                order, sample, SourceFile("migrations/0001_a.sql", "-- Why."),
                SourceFile("migrations/functions/released.txt", "0001_a.sql af76472a2875f4dc"),
            ],
            [
                order, sample, SourceFile("migrations/0001_a.sql", "-- Why."),
                SourceFile("migrations/0002_b.sql", "-- Why."),
                SourceFile("migrations/functions/released.txt", "0001_a.sql 0123456789abcdef"),
            ],
        ])
}

extension Repository {
    /// All below a folder of functions, but for what says which are applied and released.
    fileprivate var functionFiles: [SourceFile] {
        files.filter {
            $0.path.hasPrefix("migrations/") && $0.path.contains("/functions/")
                && !$0.path.hasSuffix("/order.txt") && !$0.path.hasSuffix("/released.txt")
        }
    }

    /// What the order of the file's schema names.
    fileprivate func order(of file: SourceFile) -> [String] {
        let home = file.path.split(separator: "/functions/")[0]
        return files.first { $0.path == "\(home)/functions/order.txt" }?.entries ?? []
    }

    /// FNV-1a over the files of functions beside this one, by their paths: `bin/released` makes the
    /// same of them.
    fileprivate func sum(of file: SourceFile) -> String {
        let home = file.path.dropLast("released.txt".count)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for file in functionFiles.sorted(by: { $0.path < $1.path })
        where file.path.hasPrefix(home) {
            for byte in (file.path.dropFirst(home.count) + "\n" + file.text).utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension SourceFile {
    /// What a line of `order.txt` names; what follows `#` is for people.
    fileprivate var entries: [String] {
        lines.compactMap { $0.prefix { $0 != "#" }.split(separator: " ").first.map(String.init) }
    }

    fileprivate var isNumbered: Bool {
        path.firstMatch(of: #/^migrations\/(?:[a-z_]+\/)?\d{4}_[a-z0-9_]+\.sql$/#) != nil
    }
}
