import Testing

/// What a formatter can't check. `Rules/` says what; each rule brings samples of its own.
@Suite struct TidyTests {
    @Test(arguments: Rule.all)
    func theRepositoryKeeps(_ rule: Rule) {
        for finding in rule.check(.here) {
            Issue.record("\(finding)", severity: rule.isWarning ? .warning : .error)
        }
    }

    @Test(arguments: Rule.all)
    func aBreachIsNoticedOf(_ rule: Rule) {
        let bad = rule.bad.map { [$0] } + rule.badTogether
        #expect(!bad.isEmpty)
        for sample in bad {
            #expect(!rule.check(Repository(sample)).isEmpty, "\(sample.map(\.text))")
        }
        for sample in rule.good.map({ [$0] }) + rule.goodTogether {
            #expect(rule.check(Repository(sample)).isEmpty, "\(sample.map(\.text))")
        }
    }

    @Test func theRepositoryIsFound() {
        #expect(Repository.here.paths.contains("Package.swift"))
        #expect(Repository.here.sources.count > 10)
    }

    @Test func everyFolderOfMigrationsCountsFromOne() {
        let first = SourceFile("migrations/0001_a.sql", "-- why")
        let ofContent = SourceFile("migrations/content/0001_a.sql", "-- why")
        let continued = SourceFile("migrations/content/0002_b.sql", "-- why")
        #expect(Rule.migrations.check(Repository([first, ofContent, continued])).isEmpty)
        #expect(!Rule.migrations.check(Repository([first, continued])).isEmpty)
    }

    @Test func swiftTextTellsCodeFromStringsAndComments() {
        let text = SwiftText(
            #"""
            let a = "x // y \(b("in") + c) z" // why "so"
            let d = """
                long " text
                """ /* one /* two */ still */ + e
            """#)
        #expect(text.code[0] == ##"let a = "\(b("") + c)" "##)
        #expect(text.strings[0] == "x // y in z")
        #expect(text.comments[0] == #"// why "so""#)
        #expect(text.strings[2].contains(#"long " text"#))
        #expect(text.code[3].hasSuffix(" + e"))
    }
}
