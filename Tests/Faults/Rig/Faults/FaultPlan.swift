import FaultSupport

/// One fault to come. Whom it hits is drawn from those who are there then.
struct PlannedFault: Sendable {
    let kind: FaultKind
    /// Seconds after the start.
    let at: Double
    let length: Double
    /// For choosing whom.
    let target: Int
    /// 0 ..< 1, for choosing how.
    let variant: Double
    /// Waits for a worker that is in the middle of a job; a death between two jobs is easy.
    let wantsWork: Bool
}

/// Which fault comes when: a pure function of the seed.
///
/// Each kind is spread over the whole run; in the last fifth of every half minute none begins, so
/// that there is calm for work to go on.
enum FaultPlan {
    static let cycle = 30.0
    static let active = 24.0

    static func make(
        kinds: [FaultKind], seconds: Double, lease: Double, seed: UInt64
    ) -> [PlannedFault] {
        var faults: [PlannedFault] = []
        let begin = 5.0
        let span = max(1, seconds - begin - lease * 2.2)
        for (stream, kind) in kinds.enumerated() {
            var generator = SeededGenerator(seed: seed, stream: UInt64(1000 + stream))
            let count = max(1, Int((kind.rate * seconds / 180).rounded()))
            for index in 0..<count {
                let share =
                    (Double(index) + Double.random(in: 0..<1, using: &generator))
                    / Double(count)
                faults.append(
                    PlannedFault(
                        kind: kind, at: begin + moment(share, of: span),
                        length: Double.random(in: kind.lengths(lease: lease), using: &generator),
                        target: Int.random(in: 0..<1_000_000, using: &generator),
                        variant: Double.random(in: 0..<1, using: &generator),
                        wantsWork: kind.endsWorkers && index.isMultiple(of: 2)))
            }
        }
        return faults.sorted { $0.at < $1.at }
    }

    /// A share of the active time as a point of the whole.
    private static func moment(_ share: Double, of span: Double) -> Double {
        let cycles = (span / cycle).rounded(.down)
        let rest = min(span - cycles * cycle, active)
        let point = share * (cycles * active + rest)
        let number = (point / active).rounded(.down)
        return min(number * cycle + point - number * active, span)
    }
}
