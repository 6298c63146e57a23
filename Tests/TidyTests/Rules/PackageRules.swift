/// Package.swift and the migrations: what the build takes on trust.
extension Rule {
    static let package = [features, settingsShared, migrations]

    /// The compiler ignores a feature that it doesn't know, in silence.
    private static let knownFeatures: Set = [
        "ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "InferSendableFromCaptures",
        "GlobalActorIsolatedTypesUsability", "ImmutableWeakCaptures", "StrictConcurrency",
    ]

    private static let features = perFile(
        "an upcoming feature that the compiler doesn't know",
        bad: [SourceFile("Package.swift", ".enableUpcomingFeature(\"ExistentialsAny\"),")],
        good: [SourceFile("Package.swift", ".enableUpcomingFeature(\"ExistentialAny\"),")],
        in: { $0.files.filter { $0.path == "Package.swift" } },
        lines: { file in
            let pattern = #/enable(?:Upcoming|Experimental)Feature\("(\w+)"/#
            return file.lines.indices.filter { line in
                file.lines[line].matches(of: pattern)
                    .contains { !knownFeatures.contains(String($0.1)) }
            }
        })

    private static let settingsShared = Rule(
        name: "a Swift target without the one list of settings",
        check: { repository in
            repository.files.filter { $0.path == "Package.swift" }.flatMap { file in
                // Each piece begins with a target; one with a linker's settings is C.
                file.text.split(separator: #/\.(?:target|executableTarget|testTarget)\(/#)
                    .dropFirst()
                    .filter { !$0.contains("swiftSettings: settings") }
                    .filter { !$0.contains("linkerSettings:") }
                    .map {
                        Finding(path: file.path, line: nil, text: "no settings: \($0.prefix(40))")
                    }
            }
        },
        bad: [SourceFile("Package.swift", "[\n.target(name: \"A\"),\n")],
        good: [SourceFile("Package.swift", "[\n.target(name: \"A\", swiftSettings: settings),")])

    /// Each folder is a history of its own and counts from 1.
    static let migrations = Rule(
        name: "migrations are 0001_what_they_do.sql, without gaps, with a header",
        check: { repository in
            let files = repository.files.filter {
                $0.path.hasPrefix("migrations/") && !$0.path.contains("/functions/")
            }
            let folders = Dictionary(grouping: files) { file in
                file.path.split(separator: "/").dropLast().joined(separator: "/")
            }
            return folders.values.flatMap { files in
                let ordered = files.sorted { $0.path < $1.path }
                return zip(1..., ordered).flatMap { number, file in
                    faults(of: file, number: number).map {
                        Finding(path: file.path, line: nil, text: $0)
                    }
                }
            }
        },
        bad: [
            SourceFile("migrations/0002_a.sql", "-- a gap before it"),
            SourceFile("migrations/0001-a.sql", "-- a name of another shape"),
            SourceFile("migrations/0001_a.sql", "CREATE TABLE a ();"),
            SourceFile("migrations/content/0002_a.sql", "-- a gap before it"),
            SourceFile("migrations/a/b/0001_a.sql", "-- a folder too deep"),
        ],
        good: [
            SourceFile("migrations/0001_a.sql", "-- why\nCREATE TABLE a ();"),
            SourceFile("migrations/content/0001_a.sql", "-- why\nCREATE TABLE a ();"),
        ])

    private static func faults(of file: SourceFile, number: Int) -> [String] {
        let shape = file.path.wholeMatch(
            of: #/migrations\/(?:[a-z_]+\/)?(\d{4})_[a-z0-9_]+\.sql/#)
        let isNumbered = shape.flatMap { Int($0.1) } == number
        return (isNumbered ? [] : ["not number \(number), or not named 0001_what_it_does.sql"])
            + (file.text.hasPrefix("-- ") ? [] : ["no header that says why"])
    }
}
