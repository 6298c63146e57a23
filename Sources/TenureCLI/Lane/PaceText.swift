import Tenure

/// How far apart starts are, and how many are made at once.
enum PaceText {
    /// For a cell: `10ms, 20 at once`.
    static func short(_ pause: Duration?, _ burst: Int?) -> String? {
        pause.map { pause in
            let many = burst.map { $0 > 1 ? ", \($0) at once" : "" } ?? ""
            return DurationText.format(pause) + many
        }
    }
}
