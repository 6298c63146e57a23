import Content
import Tenure
import TenureFoundation

/// Whether notices arrive.
struct ChannelCheck: Sendable {
    let database: Database
    /// In seconds: by then a receiver that was away for a moment has had it.
    private static let patience = 600.0

    func run() async -> Finding {
        do {
            return Self.judge(try await database.channels.list())
        } catch {
            return .fail("notices", ErrorLine.text(error), "The tables can't be read")
        }
    }

    private static func judge(_ channels: [Channel]) -> Finding {
        if let paused = channels.first(where: { $0.pausedAt != nil }) {
            let more = channels.filter { $0.pausedAt != nil }.count - 1
            return .warn(
                "notices",
                "channel \(paused.name) is paused: \(paused.pausedWhy ?? "nobody said why"); "
                    + "\(paused.unsent) unsent" + (more > 0 ? "; and \(more) more" : ""),
                "When its address takes them again: tenure notify resume \(paused.name); or: "
                    + "tenure notify remove \(paused.name)")
        }
        let late = channels.filter { channel in
            channel.unsent > 0 && (channel.failedAt?.timeIntervalSinceNow ?? 0) < -patience
        }
        guard let first = late.first else {
            return .ok("notices", "none of \(channels.count) channels is paused or long in vain")
        }
        return .warn(
            "notices",
            "\(first.unsent) unsent to channel \(first.name): \(first.error ?? "")",
            "See: tenure notify test \(first.name); then: tenure notify resume \(first.name)")
    }
}
