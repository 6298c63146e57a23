import FoundationEssentials
import Tenure

/// What a run reports to the database when it has let go.
struct RunEnding: Sendable {
    enum Wanted: String, Sendable {
        case completed, failed, snoozed, discarded, cancelled, superseded, held
        case handedBack = "handed_back"
    }

    let run: RunRef
    var wanted: Wanted
    var delay: Duration?
    var result: String?
    var reason: String?
    var errorCode: String?
    var errorMessage: String?
    /// The release that could not run it, when it is held.
    var holdVersion: String?
    /// Completed, without key and result: many of these are completed in one statement.
    var isPlain = false

    init(_ run: RunRef, _ wanted: Wanted) {
        self.run = run
        self.wanted = wanted
    }

    static func failed(
        _ run: RunRef, code: String, message: String, delay: Duration
    ) -> RunEnding {
        var ending = RunEnding(run, .failed)
        ending.errorCode = code
        ending.errorMessage = String(message.prefix(4000))
        ending.delay = delay
        return ending
    }
}
