import Tenure
import TenureFoundation

/// A paused kind where other things are shown: somebody should know.
enum PausedKindText {
    static func line(_ kind: PausedKind) -> String {
        let reason = kind.reason.map { ": \($0)" } ?? ""
        return PlainText.line(
            "kind \(kind.kind) is paused by \(kind.by ?? "someone") "
                + "\(TimeText.relative(kind.since))\(reason)")
    }
}
