import Testing

/// The proof that the interleavings would notice: the same runner against broken protocols.
@Suite struct MutantTests {
    @Test func `Every broken variant of the protocol is found out`() async throws {
        let turns = Turns(count: Mutant.all.count)
        var findings: [String: String] = [:]
        try await withBenches(2) { benches in
            findings = try await withThrowingTaskGroup(of: [String: String].self) { group in
                for bench in benches { group.addTask { try await Self.find(turns, on: bench) } }
                return try await group.reduce(into: [:]) { $0.merge($1) { $1 } }
            }
        }
        let table = Mutant.all.map { mutant in
            "\(mutant.name): \(findings[mutant.name] ?? "not run")"
        }.joined(separator: "\n")
        print(table)
        Attachment.record(table, named: "mutants.txt")
    }

    private static func find(_ turns: Turns, on bench: Bench) async throws -> [String: String] {
        var findings: [String: String] = [:]
        while let turn = turns.next() {
            findings[Mutant.all[turn].name] = try await find(Mutant.all[turn], on: bench)
        }
        return findings
    }

    /// Which check saw it, and after how many interleavings.
    private static func find(_ mutant: Mutant, on bench: Bench) async throws -> String {
        let matrix = try await bench.run(mutant)
        let seen = matrix.failures.flatMap(\.outcome.failures)
        #expect(
            seen.contains { $0.contains(mutant.finding) }, "\(mutant.name): saw \(seen)")
        let first = seen.first { $0.contains(mutant.finding) } ?? "SURVIVED"
        return "\(first) (\(matrix.total) interleavings)"
    }
}
