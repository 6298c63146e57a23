import Simulation

/// One operation of a random sequence. What it is about is drawn from its own seed and from what
/// is there when it runs, so that a sequence stays one when steps are taken out.
struct Step: CustomStringConvertible {
    enum Verb: String, CaseIterable {
        case enqueue, claim, nextDue, complete, end, finish, finishChunk, hold, beat, declareDead,
            close, open
        case note, call, settle
        case reclaim, look, find, cancel, retry, pause, resume, limit, keep, releaseHeld, pass
    }

    /// How often each comes.
    private static let weights: [Verb] =
        Array(repeating: .enqueue, count: 9) + Array(repeating: .claim, count: 9)
        + Array(repeating: .end, count: 8) + Array(repeating: .finish, count: 5)
        + Array(repeating: .finishChunk, count: 3)
        + Array(repeating: .beat, count: 3) + Array(repeating: .cancel, count: 3)
        + Array(repeating: .pass, count: 3) + Array(repeating: .note, count: 3)
        + Array(repeating: .complete, count: 2) + Array(repeating: .call, count: 5)
        + Verb.allCases

    let verb: Verb
    let seed: UInt64

    static func sequence(seed: UInt64, count: Int) -> [Step] {
        var random = SeededRandom(seed)
        return (0..<count).map { _ in
            Step(verb: random.pick(weights), seed: random.next() % 1_000_000)
        }
    }

    var description: String { "\(verb)(\(seed))" }
}
