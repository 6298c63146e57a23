/// How far apart starts are, and how many are made at once, for people.
package enum PaceText {
    /// `10ms, 20 at once`.
    package static func text(_ pause: Duration?, _ burst: Int?) -> String? {
        pause.map { DurationText.format($0) + atOnce(burst) }
    }

    /// What stands behind the pause; nothing where each start comes by itself.
    package static func atOnce(_ burst: Int?) -> String {
        burst.map { $0 > 1 ? ", \($0) at once" : "" } ?? ""
    }
}
