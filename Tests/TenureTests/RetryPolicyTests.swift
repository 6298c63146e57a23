import Tenure
import Testing

@Suite struct RetryPolicyTests {
    /// Attempts come from a row, which a hand may have spoilt.
    @Test(arguments: [Int.min, -1, 0, 1, 25, 10_000, 55_109, Int(Int32.max), .max])
    func `A pause after any attempt is none below zero and none above the longest`(
        attempt: Int
    ) {
        var generator = SystemRandomNumberGenerator()
        let policies = [
            RetryPolicy.standard, .exponential(), .exponential(first: .seconds(Int64.max)),
            .exponential(first: .seconds(Int64.min)), .constant(.seconds(3)), .never,
            RetryPolicy(jitter: 1, longest: .seconds(60)) { .seconds($0 * $0) },
        ]
        for policy in policies {
            let delay = policy.delay(afterAttempt: attempt, using: &generator)
            #expect(.zero <= delay && delay <= policy.longest)
        }
    }

    @Test func `The standard pauses are the fourth powers of the attempts`() {
        let pauses = (1...3).map(RetryPolicy.standard.pause)
        #expect(pauses == [.seconds(1), .seconds(16), .seconds(81)])
    }
}
