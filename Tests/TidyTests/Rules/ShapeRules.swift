/// How large functions are, and what files are called.
extension Rule {
    static let shapes = [names, functions]

    private static let names = Rule(
        name: "a file is named after a type that it declares or extends; that of several types may "
            + "have a plural instead",
        check: { repository in
            repository.sources.filter { !$0.isNamedAfterItsTypes }
                .map { Finding(path: $0.path, line: nil, text: "none of its types is called so") }
        },
        bad: [
            SourceFile("Sources/Tenure/Helpers.swift", "struct A {}"),
            SourceFile("Sources/Tenure/A.swift", "struct B { struct A {} }"),
            SourceFile("Sources/Tenure/A.swift", "private enum A {}\nenum B {}\nenum C {}"),
            SourceFile("Sources/Tenure/A+Listing.swift", "extension B {}\nstruct C {}"),
        ],
        good: [
            SourceFile("Sources/Tenure/A.swift", "struct B {}\npackage final class A<T> {}"),
            SourceFile("Sources/Tenure/A+Listing.swift", "extension [A] {}\nstruct B {}"),
            SourceFile("Sources/Tenure/Names.swift", "struct A {}\nstruct B {}"),
            SourceFile("Sources/Tenure/Numbers.swift", "extension Int {}\nprivate struct A {}"),
            SourceFile("Sources/Tenure/main.swift", "run()"),
        ])

    private static let functions = perFile(
        "a function over 50 lines",
        bad: ["func a<T>(", "    @b(\"c\") private static func d(\n", "init?(", "deinit "].map {
            SourceFile("Sources/Tenure/A.swift", "\($0) {\n" + body(of: 49) + "}")
        },
        good: [
            SourceFile("Tests/A.swift", "func a() {\n" + body(of: 48) + "}\n" + body(of: 9)),
            SourceFile("Tests/A.swift", "func a() { b() }\n" + body(of: 60)),
            SourceFile("Tests/A.swift", "// func a() {\n" + body(of: 60)),
            SourceFile("Tests/A.swift", "protocol A {\n    func a()\n}\nenum B {\n" + body(of: 60)),
        ],
        in: { $0.ours },
        lines: { $0.functions(over: 50) })

    private static func body(of lines: Int) -> String {
        String(repeating: "    if a { b() }\n", count: lines)
    }
}

extension SourceFile {
    fileprivate var isNamedAfterItsTypes: Bool {
        let types = declarations.filter { !$0.isExtension && !$0.isPrivate }
        guard !types.isEmpty else { return true }
        let file = path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? ""
        if declarations.contains(where: { !$0.isPrivate && $0.name == file }) { return true }
        return types.count > 1 && file.hasSuffix("s")
    }
}
