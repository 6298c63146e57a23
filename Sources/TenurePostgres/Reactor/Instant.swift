import TenureSystem

/// A moment on the continuous clock, the one that goes on while the machine sleeps.
struct Instant: Comparable, Hashable, Sendable {
    var nanoseconds: Int64

    static var now: Instant {
        var time = timespec()
        clock_gettime(System.clock, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(
            duration.wholeNanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }
}

extension Duration {
    /// Saturates at about 292 years; a negative duration counts as none.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return .max }
        let (sum, tooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return tooLong ? .max : sum
    }
}
