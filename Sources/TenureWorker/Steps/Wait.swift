import Tenure
package import TenureFoundation

/// What a run ends for: a later one goes on when the first of its waits is over.
package struct Wait: Sendable {
    package enum Time: Sendable {
        case after(Duration)
        case at(Date)
    }
    /// The name of the step that it becomes.
    package let step: String
    /// Nil: for its time alone.
    package let signal: String?
    /// Nil: for ever.
    package let time: Time?

    package init(step: String, signal: String? = nil, time: Time? = nil) {
        self.step = step
        self.signal = signal
        self.time = time
    }

    /// For people.
    package var description: String {
        signal.map { "signal \"\($0)\"" } ?? "the time of \"\(step)\""
    }

    /// As a field of `also` in `tenure.ending`.
    static func field(of waits: [Wait]) throws -> String {
        let fields = waits.map { wait in
            var fields = ["step": wait.step, "signal": wait.signal]
            switch wait.time {
            case .after(let span): fields["for"] = RunEnding.bounded(span).postgresInterval
            case .at(let date): fields["until"] = TimeText.exact(date)
            case nil: break
            }
            return fields.compactMapValues(\.self)
        }
        return "\"wait\":" + String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
    }
}
