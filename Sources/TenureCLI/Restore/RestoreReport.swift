import Tenure

/// What a restored database was found to be like, and what was done about it.
struct RestoreReport: Report {
    enum State: String, Encodable { case checked, planned, mended }

    /// A kind of number, and the sequence that gives it.
    struct Numbers: Encodable, Sendable {
        let name: String
        /// The last one that the sequence gave.
        let given: Int64
        /// The largest in the tables.
        let found: Int64
        /// Where the sequence goes on; null if it isn't touched.
        @OrNull var raisedTo: Int64?

        var isBehind: Bool { given < found }
    }

    let state: State
    let numbers: [Numbers]
    let openSessions: Int64
    let runningJobs: Int64

    var hasFindings: Bool { state != .mended && isUnsafe }

    private var isUnsafe: Bool { openSessions > 0 || numbers.contains(where: \.isBehind) }

    var text: String {
        var table = Table("number", "given", "in tables", "state", raised)
        for number in numbers {
            table.add(
                number.name, "\(number.given)", "\(number.found)",
                number.isBehind ? "behind" : "ok", number.raisedTo.map { "\($0)" })
        }
        return table.text + "\n\n" + sessions
    }

    private var raised: String {
        switch state {
        case .checked: "raised to"
        case .planned: "would be raised to"
        case .mended: "raised to"
        }
    }

    private var sessions: String {
        let found =
            CountText.of(openSessions, "open session") + ", "
            + CountText.of(runningJobs, "running job")
        switch state {
        case .checked where isUnsafe:
            return "\(found); after a restore, and before workers start, mend this by: "
                + "tenure restore check --fix. A database that was not restored needs nothing"
        case .checked:
            return "\(found); after a restore run: tenure restore check --fix "
                + "(workers may have seen larger numbers than the tables have)"
        case .planned: return "\(found); the sessions would be ended and their jobs run again"
        case .mended: return "\(found); the sessions were ended, their jobs run again"
        }
    }
}
