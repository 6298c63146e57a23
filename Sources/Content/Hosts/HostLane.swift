public import Tenure
import TenureWorker
import Web

/// The lane that all jobs of a host share, in each queue its own.
enum HostLane {
    static let prefix = "host:"
    /// A host that names a later time is asked again after this, and may say so again.
    static let longestHold: Duration = .seconds(86_400)
    /// Where a host wants a pause and doesn't say how long.
    static let usualHold: Duration = .seconds(60)
    private static let shortestHold: Duration = .seconds(1)

    /// What a host gets that wants a pause. An end that has passed says nothing of how long: who
    /// came back at once would ask, free of charge, as fast as the host can say no.
    static func pause(_ wanted: Duration?) -> Duration {
        guard let wanted, wanted > .zero else { return usualHold }
        return min(max(wanted, shortestHold), longestHold)
    }

    static func name(of url: String) -> String { WebURL(url).map(name) ?? prefix + "none" }

    static func name(of url: WebURL) -> String { prefix + (url.host ?? "none") }

    /// What becomes of a visit that the host has put off: the job comes again later, and until
    /// then no other job of the host starts.
    static func hold(_ url: WebURL, for pause: Duration, reason: String?) -> LaneHold {
        LaneHold(name(of: url), for: pause, reason: reason)
    }
}

extension Visit {
    /// What a job does whose host wants a pause: no attempt is charged.
    func snooze(_ url: WebURL) -> JobOutcome {
        .snooze(for: pause, holding: HostLane.hold(url, for: pause, reason: detail ?? code))
    }

    /// How long the host is left alone that has put it off.
    var pause: Duration { HostLane.pause(retryAfter) }

    /// What stands for the visit of a host that is left alone for so long.
    static func onHold(for pause: Duration) -> Visit {
        var visit = Visit.failed("hostOnHold", "the host wants a pause", .deferred)
        visit.retryAfter = pause
        return visit
    }
}

extension ContentFetch {
    /// How it is to be enqueued: in its host's lane.
    public func options(
        _ configuration: ContentConfiguration = ContentConfiguration()
    ) -> EnqueueOptions {
        var options = EnqueueOptions()
        options.lane = configuration.lane(of: url)
        return options
    }
}

extension ContentConfiguration {
    /// What a host is asked at most, over all workers.
    func lane(of url: String, interval: Duration? = nil) -> Lane {
        Lane(
            HostLane.name(of: url), maxRunning: requestsPerHost,
            minInterval: interval ?? hostInterval)
    }
}
