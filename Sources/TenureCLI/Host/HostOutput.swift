import Content
import FoundationEssentials
import Tenure

/// A host for programs.
struct HostOutput: Encodable {
    let host: String
    let own: Bool
    @OrNull var maxRunning: Int?
    @OrNull var minIntervalSeconds: Double?
    @OrNull var setBy: String?
    let running: Int
    let due: Int
    let later: Int
    @OrNull var opensAt: Date?
    @OrNull var heldUntil: Date?
    @OrNull var holdReason: String?
    @OrNull var heldBy: String?

    init(_ host: HostStatus) {
        let lane = host.lane
        self.host = host.host
        own = host.isOwn
        maxRunning = lane?.maxRunning
        minIntervalSeconds = lane?.minInterval.map { $0 / .seconds(1) }
        setBy = lane?.setBy
        running = lane?.running ?? 0
        due = lane?.due ?? 0
        later = lane?.later ?? 0
        opensAt = lane?.opensAt
        heldUntil = lane?.heldUntil
        holdReason = lane?.holdReason
        heldBy = lane?.heldBy
    }
}

/// A host for people.
enum HostText {
    static func text(_ host: HostStatus) -> String {
        var sheet = Sheet()
        let lane = host.lane
        sheet.add("host", host.host + (host.isOwn ? " (own)" : ""))
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
}
