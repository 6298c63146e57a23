/// How fast something comes: bytes a second over the last few seconds.
struct TransferRate: Sendable {
    typealias Instant = ContinuousClock.Instant
    private static let window: Duration = .seconds(5)

    private var older: (time: Instant, bytes: Int64)
    private var newer: (time: Instant, bytes: Int64)

    init(now: Instant, bytes: Int64) {
        older = (now, bytes)
        newer = older
    }

    mutating func count(_ bytes: Int64, now: Instant) {
        guard now - newer.time >= Self.window else { return }
        older = newer
        newer = (now, bytes)
    }

    /// Nil before there is anything to go by.
    func bytesPerSecond(_ bytes: Int64, now: Instant) -> Double? {
        let seconds = (now - older.time) / .seconds(1)
        return seconds < 0.05 ? nil : Double(bytes - older.bytes) / seconds
    }
}
