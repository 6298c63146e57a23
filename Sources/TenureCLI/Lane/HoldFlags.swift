import ArgumentParser
import Tenure
import TenureFoundation

/// For how long, why and by whom something is put on hold.
struct HoldFlags: ParsableArguments {
    @Option(name: .customLong("for"), help: "How long: 30s, 5m, 1h, 2d.") var pause: String
    @Option(help: "Why, for those who look later.", transform: JobArgument.reason)
    var reason: String?
    @Option(help: "Who holds, for those who look later. (default: the user's name)")
    var by: String?

    /// Between this machine's clock and the database's, in seconds.
    private static let tolerance = 5.0

    func time() throws -> Duration {
        try SettingValue.duration(
            .init(text: pause, source: "--for"), .seconds(1) ... .seconds(365 * 86_400))
    }

    var whom: String { by ?? Whom.name }

    /// Says so where a longer hold goes on, which this one doesn't shorten.
    /// - Parameter remedy: the command that ends it.
    func tell(of lane: LaneStatus?, remedy: String) throws {
        let wanted = Date().addingTimeInterval(try time().inSeconds + Self.tolerance)
        guard let until = lane?.heldUntil, until > wanted else { return }
        Terminal.error(
            "tenure: a longer hold stands, until \(TimeText.full(until)); to end it: \(remedy)")
    }
}
