/// The text format that Prometheus scrapes, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    static func labels(_ pairs: [(String, String)]) -> String {
        pairs.map { name, value in "\(name)=\"\(escaped(value))\"" }.joined(separator: ",")
    }

    /// Before the first sample of a family.
    mutating func begin(_ name: String, _ type: String) {
        if let help = MetricHelp.texts[name] { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(type)\n"
    }

    mutating func add(_ name: String, _ labels: String, _ value: Double) {
        text += labels.isEmpty ? name : "\(name){\(labels)}"
        text += " \(Self.number(value))\n"
    }

    mutating func add(_ name: String, _ labels: String, _ counts: HistogramSeries.Counts) {
        var count = 0
        for (index, more) in counts.buckets.enumerated() {
            count += more
            let bounds = HistogramSeries.bounds
            let bound = index < bounds.count ? Self.number(bounds[index]) : "+Inf"
            let own = "le=\"\(bound)\""
            add("\(name)_bucket", labels.isEmpty ? own : "\(labels),\(own)", Double(count))
        }
        add("\(name)_sum", labels, counts.seconds)
        add("\(name)_count", labels, Double(count))
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.isNaN ? "NaN" : value == .infinity ? "+Inf" : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        // By scalars: a mark that combines with a quote makes another character of it.
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

/// What each figure says, for those who read the scrape.
enum MetricHelp {
    static let texts = [
        "tenure_beat_seconds": "Round trip of a heartbeat that renewed the lease.",
        "tenure_cancel_seconds":
            "From the verdict that a run has to stop to its handler's return.",
        "tenure_claim_latency_seconds": "From due to claimed, by queue.",
        "tenure_claim_seconds": "Round trip of a claim.",
        "tenure_database_errors_total": "Calls that the database did not answer.",
        "tenure_database_up": "Whether the database answered this scrape.",
        "tenure_follow_ups_refused_total":
            "Batches whose end this process wrote and whose follow-up was refused.",
        "tenure_jobs_expired_total":
            "Jobs that this process ended because they had not begun in time.",
        "tenure_jobs_reclaimed_total": "Jobs of dead sessions made pending again.",
        "tenure_kinds_paused_total":
            "Kinds that this coordinator paused because they kill their processes.",
        "tenure_late_results_total": "Results refused because their run had lost its place.",
        "tenure_leases_expired_total": "Leases that ran out by the session's own clock.",
        "tenure_queue_due_jobs":
            "Jobs that wait and are due, by queue, counted to 10,000; to fewer of over ten queues.",
        "tenure_queue_oldest_due_seconds":
            "Age of the oldest job that waits and is due, by queue.",
        "tenure_run_seconds": "From a handler's start to its return, by kind.",
        "tenure_runs_total": "Runs that ended, by kind and what became of the job.",
        "tenure_schedules_late": "Schedules whose tick is over a minute old.",
        "tenure_sessions": "Sessions that have not ended, by role and state.",
        "tenure_sessions_died_total": "Sessions that this one declared dead.",
        "tenure_sessions_lost_total": "Times this process's session was declared dead.",
        "tenure_stuck_runs": "Handlers that ignore their cancellation just now.",
        "tenure_superseded_seconds_total": "Time of runs whose result nobody wanted any more.",
    ]
}
