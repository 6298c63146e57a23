/// Which system this is, two targets know: TenureSystem and TenureFoundation
/// (docs/architecture.md#one-place-for-the-system).
extension Rule {
    static let system = [modulesAtHome, conditionsAtHome, filesAtHome]

    private static let modulesAtHome = perFile(
        "a module that other systems don't have: import TenureSystem, or TenureFoundation",
        bad: [
            SourceFile("Sources/Tenure/A.swift", "import Glibc"),
            SourceFile("Sources/Web/A.swift", "internal import Darwin"),
            SourceFile("Tests/TenureTests/A.swift", "import func Musl.read"),
            SourceFile("Examples/Shop/A.swift", "import Glibc"),
            SourceFile("Sources/Tenure/A.swift", "public import FoundationEssentials"),
            SourceFile("Sources/Tenure/A.swift", "import TenureLibc"),
        ],
        good: [
            SourceFile("Sources/TenureSystem/A.swift", "@_exported public import Glibc"),
            SourceFile("Sources/Tenure/A.swift", "import TenureSystem // not Glibc"),
            SourceFile("Tests/TenureTests/A.swift", "import Foundation"),
        ],
        in: { $0.swift.filter { !$0.knowsTheSystem } },
        lines: { file in
            file.codeLines(with: {
                #/
                ^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:\w+\s+)?
                (?:Glibc|Musl|Darwin|FoundationEssentials|TenureLibc)(?!\w)
                /#
            })
        })

    private static let conditionsAtHome = perFile(
        "a condition on the system: it belongs to TenureSystem, which says it once for all",
        bad: [
            SourceFile("Sources/Tenure/A.swift", "#if os(Linux)\n#endif"),
            SourceFile("Sources/Web/A.swift", "    #if DEBUG && !canImport(Darwin)\n#endif"),
            SourceFile("Tests/TenureTests/A.swift", "#if DEBUG\n#elseif arch(arm64)\n#endif"),
        ],
        good: [
            SourceFile("Sources/TenureSystem/A.swift", "#if os(Linux)\n#endif"),
            SourceFile("Sources/Tenure/A.swift", "#if DEBUG\n#endif\nlet a = \"#if os(Linux)\""),
            // What users would write: they have no such target.
            SourceFile("Examples/Orders/A.swift", "#if canImport(FoundationNetworking)\n#endif"),
        ],
        in: {
            $0.swift.filter { !$0.knowsTheSystem && !$0.path.hasPrefix("Examples/") }
        },
        lines: { file in
            file.codeLines(with: {
                #/^\s*\#(?:if|elseif)\b.*\b(?:os|arch|canImport|targetEnvironment)\(/#
            })
        })

    private static let filesAtHome = perFile(
        "`/proc` is Linux's: TenureSystem asks each system in its own way",
        bad: [SourceFile("Sources/Tenure/A.swift", "let a = \"/proc/self/exe\"")],
        good: [
            SourceFile("Sources/TenureSystem/A.swift", "let a = \"/proc/self/exe\""),
            SourceFile("Sources/Tenure/A.swift", "let a = \"/process\" // not /proc/self"),
        ],
        in: { $0.sources.filter { !$0.knowsTheSystem } },
        lines: { $0.swift?.strings.numbers(with: { #/(?:^|\W)\/proc\b/# }) ?? [] })
}

extension SourceFile {
    /// The two targets, and a program that is built by itself to be looked at by a sanitizer.
    fileprivate var knowsTheSystem: Bool {
        ["TenureSystem", "TenureFoundation"].contains(target)
            || path == "Tests/Sanitizers/probe.swift"
    }
}
