/// Within a target, too, arrows go one way: of two folders one uses the other, or neither does.
///
/// A type is used where its name stands in code. A name that two folders declare is left out. What
/// extensions add to a type isn't seen: the compiler alone knows whose it is.
extension Rule {
    /// A file of one folder uses a type of another.
    private struct Arrow {
        let from: String
        let to: String
        let path: String
        let name: String
    }

    static let folders = Rule(
        name: "the folders of a target use each other one way",
        check: { repository in
            Dictionary(grouping: repository.sources, by: \.target).values.flatMap { files in
                circles(arrows(among: files)).map { arrow in
                    let text = "\(arrow.from) uses \(arrow.name) of \(arrow.to), and leads from it"
                    return Finding(path: arrow.path, line: nil, text: text)
                }
            }
        },
        bad: [],
        badTogether: [
            [
                SourceFile("Sources/Tenure/Job/A.swift", "struct A { let b: B }"),
                SourceFile("Sources/Tenure/Claim/B.swift", "enum B { case one(A) }"),
            ],
            [
                SourceFile("Sources/Tenure/A.swift", "func a(_ b: [B]) {}\nprotocol A {}"),
                SourceFile("Sources/Tenure/Job/B.swift", "typealias B = C<Int>"),
                SourceFile("Sources/Tenure/Claim/C.swift", "extension A {}\nactor C<T> {}"),
            ],
        ],
        goodTogether: [
            [
                SourceFile("Sources/Tenure/A.swift", "struct A { let b: B, c: C }"),
                SourceFile("Sources/Tenure/Job/B.swift", "struct B { let c: C }"),
                SourceFile("Sources/Tenure/Claim/C.swift", "// See A.\nlet c = \"B\"\nclass C {}"),
            ],
            [
                SourceFile("Sources/Tenure/Job/A.swift", "struct A { let b: B, c: C }"),
                SourceFile("Sources/Tenure/Job/B.swift", "struct B { let a: A }"),
                SourceFile("Sources/Web/Job/C.swift", "struct C { let a: A }"),
            ],
        ])

    private static func arrows(among files: [SourceFile]) -> [Arrow] {
        var homes: [String: Set<String>] = [:]
        for file in files {
            for type in file.declarations where !type.isExtension {
                homes[type.name, default: []].insert(file.folder)
            }
        }
        return files.flatMap { file in
            file.capitalised.compactMap { name in
                guard let folders = homes[name], folders.count == 1, let to = folders.first,
                    to != file.folder
                else { return nil }
                return Arrow(from: file.folder, to: to, path: file.path, name: name)
            }
        }
    }

    /// What is left when those are taken away, again and again, that come from a folder that nobody
    /// uses, or lead to one that uses nobody.
    private static func circles(_ arrows: [Arrow]) -> [Arrow] {
        let (from, to) = (Set(arrows.map(\.from)), Set(arrows.map(\.to)))
        let left = arrows.filter { to.contains($0.from) && from.contains($0.to) }
        return left.count == arrows.count ? left : circles(left)
    }
}

extension SourceFile {
    /// Its path without its name.
    fileprivate var folder: String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
