import FoundationEssentials
import Tenure

/// A paused kind where other things are shown: somebody should know.
enum PausedKindText {
    static func line(_ kind: PausedKind) -> String {
        let reason = kind.reason.map { ": \(JobStory.printable($0))" } ?? ""
        return PlainText.line(
            "kind \(kind.kind) is paused by \(kind.by ?? "someone") "
                + "\(TimeText.relative(kind.since))\(reason)")
    }
}

/// The same for programs.
struct PausedKindOutput: Encodable {
    let kind: String
    let pausedAt: Date
    @OrNull var pausedBy: String?
    @OrNull var reason: String?

    init(_ paused: PausedKind) {
        kind = paused.kind.rawValue
        pausedAt = paused.since
        pausedBy = paused.by
        reason = paused.reason
    }
}
