/// Which deadline a transfer is under: each phase has its own, and one stands over all.
struct TransferClock: Sendable {
    typealias Instant = ContinuousClock.Instant

    private enum Phase {
        case resolving
        case connecting
        case waiting(since: Instant)
        case receiving(StallMeter)
        case paused(StallMeter)
    }

    private let limits: HTTPLimits
    private let start: Instant
    private var phase = Phase.resolving
    private(set) var timings = HTTPTimings()

    init(limits: HTTPLimits, start: Instant) {
        self.limits = limits
        self.start = start
    }

    /// How much of the time to connect is left.
    func connectBudget(now: Instant) -> Duration {
        min(limits.connect - (now - start), limits.total - (now - start))
    }

    mutating func resolved(now: Instant) {
        timings.dns = now - start
        phase = .connecting
    }

    /// The connection stands; also said a second time, when a kept connection turned out dead.
    mutating func requestGoesOut(now: Instant) {
        phase = .waiting(since: now)
    }

    var isRequestOut: Bool {
        switch phase {
        case .resolving, .connecting: false
        case .waiting, .receiving, .paused: true
        }
    }

    mutating func received(now: Instant) {
        guard case .waiting(let since) = phase else { return }
        timings.firstByte = now - since
        phase = .receiving(meter(now: now, bytes: 0))
    }

    mutating func connected(connect: Duration, tls: Duration) {
        timings.connect = connect
        timings.tls = tls
    }

    mutating func paused() {
        if case .receiving(let meter) = phase { phase = .paused(meter) }
    }

    mutating func resumed(now: Instant, bytes: Int) {
        guard case .paused(var meter) = phase else { return }
        meter.restart(now: now, bytes: bytes)
        phase = .receiving(meter)
    }

    mutating func ended(now: Instant) {
        timings.total = now - start
    }

    private func meter(now: Instant, bytes: Int) -> StallMeter {
        StallMeter(
            window: limits.stall, bytesPerSecond: limits.stallBytesPerSecond, now: now, bytes: bytes
        )
    }
}

extension TransferClock {
    struct Lateness: Sendable, Hashable {
        var code: HTTPTransportError.Code
        var detail: String
    }

    /// What is too late, if anything is. `bytes` is everything received so far.
    mutating func check(now: Instant, bytes: Int) -> Lateness? {
        if now - start >= limits.total {
            return Lateness(code: .totalTimeout, detail: "not finished after \(limits.total)")
        }
        switch phase {
        case .resolving where now - start >= limits.connect:
            return Lateness(code: .dnsTemporary, detail: "no answer after \(limits.connect)")
        case .connecting where now - start >= limits.connect:
            return Lateness(code: .connectTimeout, detail: "not connected after \(limits.connect)")
        case .waiting(let since) where now - since >= limits.firstByte:
            return Lateness(code: .timeoutFirstByte, detail: "silent for \(limits.firstByte)")
        case .receiving(var meter):
            let isStalled = meter.isStalled(now: now, bytes: bytes)
            phase = .receiving(meter)
            let rate = "\(limits.stallBytesPerSecond) bytes/s for \(limits.stall)"
            return isStalled ? Lateness(code: .stalled, detail: "less than \(rate)") : nil
        default:
            return nil
        }
    }

    /// When to check again at the latest.
    var nextCheck: Instant {
        let end = start + limits.total
        return switch phase {
        case .resolving, .connecting: min(end, start + limits.connect)
        case .waiting(let since): min(end, since + limits.firstByte)
        case .receiving(let meter): min(end, meter.nextCheck)
        case .paused: end
        }
    }
}
