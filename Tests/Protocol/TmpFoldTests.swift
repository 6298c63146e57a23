import Testing
@Suite struct TmpFoldTests {
    @Test func folding() async throws {
        for (a, b) in [(Operation.folding, Operation.all), (Operation.all, Operation.folding)] {
            let sweep = Sweep(firsts: a, seconds: b)
            try await withBenches(3) { [sweep] in try await sweep.run(on: $0) }
            let m = sweep.matrix
            print("RESULT \(m.pairs) pairs \(m.total) interleavings \(m.failures.count) failed")
            print(m.report())
            #expect(m.failures.count == 0)
        }
    }
}
