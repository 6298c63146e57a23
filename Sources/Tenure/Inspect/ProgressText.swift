import TenureFoundation

/// A run's last report for people: `41943040 of 209715200 (20 %), 5242880/s, 2 s ago`.
package enum ProgressText {
    package static func text(_ reported: ReportedProgress) -> String {
        let progress = reported.progress
        var text = "\(progress.done)"
        if let total = progress.total { text += " of \(total)\(share(progress.done, total))" }
        if let rate = progress.rate { text += ", \(Int64(clamping: rate))/s" }
        text += ", said \(TimeText.relative(reported.reportedAt))"
        return text + (progress.note.map { ": " + PlainText.line($0) } ?? "")
    }

    private static func share(_ done: Int64, _ total: Int64) -> String {
        guard total > 0 else { return "" }
        return " (\(Int(min(100, Double(done) / Double(total) * 100))) %)"
    }
}

extension Int64 {
    fileprivate init(clamping value: Double) {
        self = value < Double(Int64.max) ? Int64(value) : .max
    }
}
