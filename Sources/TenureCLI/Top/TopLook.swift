import Tenure
import TenureFoundation

/// What `top` shows at a time.
struct TopView: Report {
    struct Rates: Encodable, Sendable {
        let enqueued: Double
        let ended: Double
        let discarded: Double
        let failedAttempts: Double
    }

    let at: Date
    /// Nil at the first look: a rate takes two.
    let rates: Rates?
    let queues: [QueueStatus]
    let sessions: [SessionStatus]
    let pausedKinds: [PausedKind]

    func sum(_ number: KeyPath<QueueStatus, Int>) -> Int {
        queues.map { $0[keyPath: number] }.reduce(0, +)
    }

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "at": at, "perSecond": rates, "queues": queues, "sessions": sessions,
            "pausedKinds": pausedKinds,
        ])
    }

    var workers: Int { sessions.filter { $0.role == "worker" && $0.endedAt == nil }.count }
    var coordinators: Int { sessions.filter { $0.role != "worker" && $0.endedAt == nil }.count }
    var oldestDue: Date? { queues.compactMap(\.oldestDue).min() }

    /// On one line.
    var text: String {
        func rate(_ number: KeyPath<TopView.Rates, Double>) -> String {
            rates.map { RateText.format($0[keyPath: number]) } ?? "-"
        }
        let oldest = oldestDue.map { DurationText.format(.seconds(-$0.timeIntervalSinceNow)) }
        return "\(TimeText.exact(at)) due \(sum(\.due)) running \(sum(\.running)) "
            + "later \(sum(\.later)) waiting \(sum(\.waiting)) held \(sum(\.held)) "
            + "enqueued \(rate(\.enqueued)) ended \(rate(\.ended)) "
            + "failed attempts \(rate(\.failedAttempts)) discarded \(rate(\.discarded)) "
            + "workers \(workers) oldest due \(oldest ?? "-")"
    }
}

/// Looks again and again.
struct TopLook: Sendable {
    private let inspector: Inspector
    private var last: Activity?

    init(_ inspector: Inspector) { self.inspector = inspector }

    mutating func next() async throws -> TopView {
        let now = try await inspector.activity()
        let rates = last.flatMap { Self.rates(from: $0, to: now) }
        last = now
        return TopView(
            at: now.at, rates: rates, queues: try await inspector.queues(),
            sessions: try await inspector.sessions(),
            pausedKinds: try await inspector.pausedKinds())
    }

    /// Nil when the counters were set back: the server was started again.
    static func rates(from a: Activity, to b: Activity) -> TopView.Rates? {
        let seconds = b.at.timeIntervalSince(a.at)
        guard seconds > 0, b.enqueued >= a.enqueued, b.ended >= a.ended else { return nil }
        func rate(_ number: KeyPath<Activity, Int>) -> Double {
            max(0, Double(b[keyPath: number] - a[keyPath: number]) / seconds)
        }
        return TopView.Rates(
            enqueued: rate(\.enqueued), ended: rate(\.ended), discarded: rate(\.discarded),
            failedAttempts: rate(\.failedAttempts))
    }
}
