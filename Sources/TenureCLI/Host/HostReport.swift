public import Content
import FoundationEssentials
import Tenure

extension HostStatus: Report {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "host": host, "own": isOwn, "maxRunning": lane?.maxRunning,
            "minIntervalSeconds": lane?.minInterval?.inSeconds, "setBy": lane?.setBy,
            "running": lane?.running ?? 0, "due": lane?.due ?? 0, "later": lane?.later ?? 0,
            "opensAt": lane?.opensAt, "heldUntil": lane?.heldUntil,
            "holdReason": lane?.holdReason, "heldBy": lane?.heldBy,
        ])
    }

    var text: String {
        var sheet = Sheet()
        sheet.add("host", name)
        sheet.add("at a time", lane?.maxRunning.map { "\($0)" })
        sheet.add("every", lane?.minInterval.map { DurationText.format($0) })
        sheet.add("set by", lane?.setBy)
        sheet.add("running", "\(lane?.running ?? 0)")
        sheet.add("due", "\(lane?.due ?? 0)")
        sheet.add("later", "\(lane?.later ?? 0)")
        sheet.add("next start", lane?.opensAt.map { TimeText.full($0) })
        sheet.add("on hold until", lane?.heldUntil.map { TimeText.full($0) })
        sheet.add("on hold by", lane?.heldBy)
        sheet.add("reason", lane?.holdReason)
        return sheet.text
    }

    private var name: String { host + (isOwn ? " (own)" : "") }
}

extension HostStatus: TableRow {
    static let titles = [
        "host", "at a time", "every", "set by", "running", "due", "later", "on hold until",
        "reason",
    ]

    var cells: [String?] {
        [
            name, lane?.maxRunning.map { "\($0)" },
            lane?.minInterval.map { DurationText.format($0) }, lane?.setBy,
            "\(lane?.running ?? 0)", "\(lane?.due ?? 0)", "\(lane?.later ?? 0)",
            lane?.heldUntil.map { TimeText.full($0) }, lane?.holdReason,
        ]
    }
}
