/// When runs were started, by a database's clock that was stepped.
struct StartLog {
    struct Start: Sendable {
        let lane: String
        let at: Double
    }

    let starts: [Start]
    /// When a worker found that the clock had been set back.
    let found: [Double]
    /// When all began, by the same clock.
    let begin: Double

    var lanes: Set<String> { Set(starts.map(\.lane)) }

    /// The starts of a lane, or of all: those between two steps each. A step goes far further than
    /// a run of the test lasts.
    func spans(of lane: String?) -> [Span] {
        let times = starts.filter { lane == nil || $0.lane == lane }.map(\.at)
        let found = Dictionary(grouping: found, by: step)
        return Dictionary(grouping: times, by: step).sorted { $0.key < $1.key }.map {
            Span(times: $0.value.sorted(), found: found[$0.key]?.max())
        }
    }

    private func step(at time: Double) -> Int { Int(((time - begin + 300) / 900).rounded(.down)) }

    struct Span {
        /// In their order.
        let times: [Double]
        /// When the step back was found that this span begins with. Until all times have followed,
        /// no job is due: they were made at times that are still to come.
        let found: Double?

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

        func described(_ rate: Int) -> String {
            let seconds = Dictionary(grouping: times) { Int($0 - times[0]) }
            return "\(length) s, \(share(of: rate)): "
                + seconds.keys.sorted().map { "\(seconds[$0]!.count)" }.joined(separator: " ")
        }

        /// How much of what it may start was started.
        func share(of rate: Int) -> Double {
            let counted = times.filter { $0 >= (found ?? 0) + 1 }
            guard let first = counted.first, let last = counted.last, last > first else { return 0 }
            return Double(counted.count - 1) / ((last - first) * Double(rate))
        }
    }
}
