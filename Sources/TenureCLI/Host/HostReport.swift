public import Content
import Tenure
import TenureFoundation

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
        lane?.addStanding(to: &sheet)
        return sheet.text
    }

    private var name: String { host + (isOwn ? " (own)" : "") }
}

extension HostStatus: TableRow {
    static let titles = ["host"] + LaneStatus.standingTitles

    var cells: [String?] {
        [name] + (lane?.standing ?? LaneStatus.standingTitles.map { _ in nil })
    }
}
