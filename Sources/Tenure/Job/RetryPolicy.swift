/// When a failed job is tried again. A pure rule: the caller brings the randomness.
public struct RetryPolicy: Sendable {
    /// Runs that may fail before the job is discarded; at least 1.
    public var maxAttempts: Int
    /// The pause after a given failed attempt, before jitter. The first is 1, none above 10,000.
    public var pause: @Sendable (_ attempt: Int) -> Duration
    /// The share by which a pause may be longer or shorter, 0 … 1.
    public var jitter: Double
    /// No pause is longer.
    public var longest: Duration

    public init(
        maxAttempts: Int = 25, jitter: Double = 0.1, longest: Duration = .seconds(86_400),
        pause: @escaping @Sendable (_ attempt: Int) -> Duration
    ) {
        self.maxAttempts = maxAttempts
        self.jitter = jitter
        self.longest = longest
        self.pause = pause
    }

    /// No job may ask for more; a row that a hand has spoilt may say so.
    private static let mostAttempts = 10_000

    /// - Throws: `TenureError` with `.invalidJob` that names the field and its range.
    func check() throws {
        try JobLimits.check(maxAttempts, of: "retry.maxAttempts", in: 1...Self.mostAttempts)
        guard (0...1).contains(jitter) else {
            throw TenureError(.invalidJob, "retry.jitter is \(jitter); give 0 to 1")
        }
        guard longest >= .zero else {
            throw TenureError(.invalidJob, "retry.longest is \(longest); give 0 or more")
        }
    }

    /// 25 attempts, n⁴ seconds apart: 1 s, 16 s, 81 s, 4 min, 10 min … about 20 days in all.
    public static let standard = RetryPolicy { attempt in
        .seconds(attempt * attempt * attempt * attempt)
    }

    /// Doubles from `first` on.
    public static func exponential(
        maxAttempts: Int = 25, first: Duration = .seconds(1)
    ) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts) { attempt in
            // A pause that is longer than any may be is not doubled past what a number holds.
            JobLimits.bounded(first) * (1 << min(attempt - 1, 30))
        }
    }

    /// Always the same pause.
    public static func constant(maxAttempts: Int = 25, _ pause: Duration) -> RetryPolicy {
        RetryPolicy(maxAttempts: maxAttempts) { _ in pause }
    }

    /// One run, and no other if it fails.
    public static let never = RetryPolicy(maxAttempts: 1) { _ in .zero }

    /// The pause after the given failed attempt, with jitter, within `0 … longest`.
    public func delay(
        afterAttempt attempt: Int, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let share = jitter == 0 ? 0 : Double.random(in: -jitter...jitter, using: &generator)
        let counted = min(max(attempt, 1), Self.mostAttempts)
        let wanted = min(pause(counted), longest) * (1 + share)
        return max(.zero, min(wanted, longest))
    }
}
