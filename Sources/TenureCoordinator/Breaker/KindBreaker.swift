import Tenure

/// When a kind is paused by itself: so many processes died, one after the other, while they ran it,
/// and no run of it succeeded in between.
public struct KindBreaker: Sendable {
    /// One after the other: processes that die at the same time count once.
    public var deaths: Int
    /// Deaths longer ago are forgotten.
    public var window: Duration

    public init(deaths: Int = 5, within window: Duration = .seconds(600)) {
        self.deaths = deaths
        self.window = window
    }

    func validate() throws {
        guard (2...1000).contains(deaths) else {
            throw TenureError(
                .invalidConfiguration, "breaker.deaths is \(deaths); give 2 to 1000")
        }
        guard window >= .seconds(1), window <= .seconds(7 * 86_400) else {
            throw TenureError(
                .invalidConfiguration, "breaker.window is \(window); give 1 second to 7 days")
        }
    }
}
