import Tenure

extension LaneStatus: Report {
    var text: String {
        var sheet = Sheet()
        sheet.add("lane", name)
        addStanding(to: &sheet)
        return sheet.text
    }

    /// Its limits, its jobs, and what holds them back.
    func addStanding(to sheet: inout Sheet) {
        sheet.add("at a time", maxRunning.map { "\($0)" })
        sheet.add("every", minInterval.map { DurationText.format($0) })
        sheet.add("at once", burst.flatMap { $0 > 1 ? "\($0), after a quiet time" : nil })
        sheet.add("weight", weight.flatMap { $0 > 1 ? "\($0)" : nil })
        sheet.add("order", order == .strict ? "strict: one after the other" : nil)
        sheet.add("behind", behind.map { "\($0), which has begun and isn't over" })
        sheet.add("set by", setBy)
        sheet.add("running", "\(running)")
        sheet.add("due", "\(due)")
        sheet.add("later", "\(later)")
        sheet.add("next start", opensAt.map { TimeText.full($0) })
        sheet.add("on hold until", heldUntil.map { TimeText.full($0) })
        sheet.add("on hold by", heldBy)
        sheet.add("reason", holdReason)
    }
}

extension LaneStatus: TableRow {
    static let titles = ["lane"] + standingTitles

    var cells: [String?] { [name] + standing }

    static let standingTitles = [
        "at a time", "every", "set by", "running", "due", "later", "on hold until", "reason",
    ]

    var standing: [String?] {
        [
            places, pace, setBy, "\(running)", "\(due)", "\(later)",
            heldUntil.map { TimeText.full($0) }, holdReason,
        ]
    }

    private var places: String? {
        maxRunning.map { most in
            let order = order == .strict ? ", in order" : ""
            let weight = weight.map { $0 > 1 ? ", weight \($0)" : "" } ?? ""
            return "\(most)\(order)\(weight)"
        }
    }

    private var pace: String? { PaceText.text(minInterval, burst) }
}
