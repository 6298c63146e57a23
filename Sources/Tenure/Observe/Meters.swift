import Metrics

/// What is counted and measured, by swift-metrics. All are made once: making one is a look-up in
/// the metrics library.
final class Meters: Sendable {
    private let runs = RunMeters()
    private let beats = Timer(label: "tenure_beat_seconds")
    private let claims = Timer(label: "tenure_claim_seconds")
    private let cancels = Timer(label: "tenure_cancel_seconds")
    private let leasesExpired = Counter(label: "tenure_leases_expired_total")
    private let sessionsLost = Counter(label: "tenure_sessions_lost_total")
    private let sessionsDied = Counter(label: "tenure_sessions_died_total")
    private let reclaimed = Counter(label: "tenure_jobs_reclaimed_total")
    private let expired = Counter(label: "tenure_jobs_expired_total")
    private let followUpsRefused = Counter(label: "tenure_follow_ups_refused_total")
    private let kindsPaused = Counter(label: "tenure_kinds_paused_total")
    private let lateResults = Counter(label: "tenure_late_results_total")
    private let stuck = Gauge(label: "tenure_stuck_runs")
    private let databaseErrors = Counter(label: "tenure_database_errors_total")

    func observe(_ event: Event) {
        switch event {
        case .started(let run): runs.started(run)
        case .ended(let run, let became, let took, _):
            runs.ended(run.kind, became: became, took: took)
        case .claimed(_, _, let took): claims.recordNanoseconds(took.nanoseconds)
        case .leaseRenewed(_, let after): beats.recordNanoseconds(after.nanoseconds)
        case .letGo(_, let after): cancels.recordNanoseconds(after.nanoseconds)
        case .lateResult: lateResults.increment()
        default: observeSeldom(event)
        }
    }

    private func observeSeldom(_ event: Event) {
        switch event {
        case .leaseExpired: leasesExpired.increment()
        case .sessionLost: sessionsLost.increment()
        case .declaredDead: sessionsDied.increment()
        case .reclaimed: reclaimed.increment()
        case .expired: expired.increment()
        case .followUpRefused: followUpsRefused.increment()
        case .kindPaused: kindsPaused.increment()
        case .stuckNow(let count): stuck.record(count)
        case .databaseAway: databaseErrors.increment()
        default: break
        }
    }
}
