import Testing

@Suite struct InterleavingTests {
    @Test func `Every pair of operations meets well at every lock point`() async throws {
        let sweep = Sweep(firsts: Operation.all, seconds: Operation.all)
        let start = ContinuousClock.now
        try await withBenches(3) { try await sweep.run(on: $0) }
        let matrix = sweep.matrix
        let summary = """
            \(matrix.pairs) pairs, \(matrix.lockPoints) lock points, \
            \(matrix.total) interleavings, \(matrix.failures.count) failed, \
            \(ContinuousClock.now - start)
            """
        let table = matrix.table(sweep.firsts)
        print("\(table)\n\(summary)\n\(matrix.report())")
        Attachment.record("\(table)\n\(summary)", named: "interleavings.txt")
        #expect(matrix.failures.count == 0, "see the traces")
    }
}

/// Opens benches, and closes them whatever happens.
func withBenches(_ count: Int, _ body: ([Bench]) async throws -> Void) async throws {
    var benches: [Bench] = []
    defer { for bench in benches { bench.close() } }
    for _ in 0..<count { benches.append(try await Bench.open()) }
    try await body(benches)
}
