/// When runs were started, by a database's clock that was stepped.
struct StartLog {
    struct Start: Sendable {
        let lane: String
        let at: Double
    }

    let starts: [Start]
    /// When all began, by the same clock.
    let begin: Double

    var lanes: Set<String> { Set(starts.map(\.lane)) }

    /// The starts of a lane, or of all: those between two steps each. A step goes far further than
    /// a run of the test lasts.
    func spans(of lane: String?) -> [Span] {
        let times = starts.filter { lane == nil || $0.lane == lane }.map(\.at)
        let steps = Dictionary(grouping: times) { (($0 - begin + 300) / 900).rounded(.down) }
        return steps.values.map { Span(times: $0.sorted()) }
    }

    struct Span {
        /// In their order.
        let times: [Double]

        var length: Double { times.last.map { $0 - times[0] } ?? 0 }

        /// By how many starts the fullest window of any length has more than it may.
        func excess(rate: Int, burst: Int) -> Double {
            var most = -Double.infinity
            var least = Double.infinity
            for (number, time) in times.enumerated() {
                let ahead = Double(number) - (time - times[0]) * Double(rate)
                least = min(least, ahead)
                most = max(most, ahead - least + 1 - Double(burst))
            }
            // The time of a claim is kept to the microsecond.
            return most - 0.001
        }

        /// How much of what it may start was started.
        func share(of rate: Int) -> Double { Double(times.count - 1) / (length * Double(rate)) }
    }
}
